"""Words that bylines, datelines and credits of the news are made of."""

from __future__ import annotations

# Letters that begin a name; ``re`` has no class for them.
UPPER = "A-ZÀ-ÖØ-ÞĀĂĄĆČĎĐĒĖĘĚĞĢĪİĶĻŁŃŅŇŌŐŒŔŘŚŞŠŤŪŮŰŹŻŽȘȚ"

_MONTHS = (
    r"(?:Jan(?:uary)?|Feb(?:ruary)?|Mar(?:ch)?|Apr(?:il)?|May|June?|July?|Aug(?:ust)?|Sept?(?:ember)?|Oct(?:ober)?"
    r"|Nov(?:ember)?|Dec(?:ember)?)\.?"
)
_WEEKDAY = r"(?:Mon|Tue(?:s)?|Wed(?:nes)?|Thu(?:rs)?|Fri|Sat(?:ur)?|Sun)(?:day)?\.?"
_DAY = r"\d{1,2}(?:st|nd|rd|th)?"
# A date as a person writes it, with a day; the year may be missing.
DATE = (
    rf"(?i:(?:{_WEEKDAY},?\s+)?(?:{_MONTHS}\s+{_DAY}\b(?:,?\s+\d{{4}}\b)?|{_DAY}\s+{_MONTHS}(?:,?\s+\d{{4}}\b)?"
    r"|\d{4}-\d\d-\d\d|\d{1,2}[/.]\d{1,2}[/.](?:\d{4}|\d\d)\b))"
)

# Names of agencies and broadcasters as they stand in datelines; American stations have call signs with K or W.
AGENCY = (
    r"(?:(?:The )?Associated Press|(?:Thomson )?Reuters(?: [A-Z]\w+)*|REUTERS|A\.?P\.?|AFP|CNN(?: [A-Z]\w+)*|UPI|Xinhua"
    r"|Kyodo(?: News)?|PTI|ANI|IANS|dpa(?:-AFX)?|DPA|ANSA|EFE|TASS|Sputnik|Interfax|Bloomberg(?: News)?|CNBC|JTA"
    r"|RNS|CNS|CNA"
    r"|NNA|NAN|APP|PPI|UNB|BSS|(?:Bernama|BERNAMA)|Yonhap|IRNA|KUNA|WAM|SPA|AAP|SAPA|(?:The )?Canadian Press|CP"
    r"|(?:Press Association|PA)|PR ?Newswire|Business ?Wire|BUSINESS WIRE|GLOBE NEWSWIRE|Globe ?Newswire|Marketwired"
    r"|ACN|RFE/RL|VOA|BBC(?: [A-Z]\w+)*|ITV|Sky News|NBC(?: [A-Z]\w+)*|ABC(?: [A-Z]\w+)*|CBS(?:[ /][A-Z]\w+)*"
    r"|F(?:ox|OX)"
    r"(?: [A-Z0-9]\w*)*|NPR|PBS|TNS|MCT|KHN|Dow Jones|SWNS|Zenger(?: News)?|The Center Square|StudyFinds|Stacker"
    r"|ANP|NTB|TT"
    r"|ATS|APA|UNDATED|MTI|PAP|CTK|[KW][A-Z]{2,3}(?:[-/ ](?:TV|FM|AM|[KW][A-Z]{2,3}|[A-Z]\w+))?)"
)
# What else shows that brackets after a place, or a name before a dash, are a medium.
MEDIUM = r"\b(?:News|Press|Agency|Service|Newswire|Wire|Media|Radio|TV|Post|Times|Herald|Tribune|Journal|Gazette)\b"

# Places that open datelines without a country, in mixed case too or before a colon.
PLACES = frozenset(
    """
    Abuja|Accra|Addis Ababa|Algiers|Amman|Amsterdam|Ankara|Athens|Atlanta|Austin|Baghdad|Baku|Baltimore|Bangkok
    |Beijing|Beirut|Belfast|Belgrade|Berlin|Bengaluru|Bangalore|Bogota|Bogotá|Boston|Brasilia|Brasília|Bratislava
    |Brisbane|Brussels|Bucharest|Budapest|Buenos Aires|Cairo|Canberra|Cape Town|Caracas|Cardiff|Chandigarh|Chennai
    |Chicago|Cincinnati|Cleveland|Colombo|Copenhagen|Dakar|Dallas|Damascus|Delhi|Denver|Detroit|Dhaka|Doha|Dubai
    |Dublin|Edinburgh|Frankfurt|Gaza|Geneva|Glasgow|Guwahati|Hanoi|Harare|Havana|Helsinki|Ho Chi Minh City
    |Hong Kong|Honolulu|Houston|Hyderabad|Indianapolis|Islamabad|Istanbul|Jakarta|Jerusalem|Johannesburg|Kabul
    |Kampala|Karachi|Kathmandu|Khartoum|Kiev|Kigali|Kingston|Kolkata|Kuala Lumpur|Kuwait|Kyiv|Lagos|Lahore
    |Las Vegas|Lima|Lisbon|Ljubljana|London|Los Angeles|Lucknow|Luxembourg|Madrid|Manchester|Manila|Melbourne
    |Mexico City|Miami|Milan|Milwaukee|Minneapolis|Minsk|Mogadishu|Montreal|Moscow|Mumbai|Muscat|Nairobi|New Delhi
    |New Orleans|New York|Nicosia|Oklahoma City|Oslo|Ottawa|Panaji|Paris|Patna|Peshawar|Philadelphia|Phoenix
    |Pittsburgh|Prague|Pretoria|Pune|Pyongyang|Quebec City|Quetta|Quito|Ramallah|Rawalpindi|Reykjavik|Riga
    |Rio de Janeiro|Riyadh|Rome|Salt Lake City|San Antonio|San Diego|San Francisco|Sanaa|Santiago|Sao Paulo
    |São Paulo|Sarajevo|Seattle|Seoul|Shanghai|Singapore|Sofia|Srinagar|St. Louis|Stockholm|Sydney|Taipei|Tallinn
    |Tbilisi|Tehran|Tel Aviv|The Hague|Thiruvananthapuram|Tirana|Tokyo|Toronto|Tripoli|Tunis|Ulaanbaatar
    |United Nations|Vancouver|Vatican City|Vienna|Vientiane|Vilnius|Warsaw|Washington|Washington DC
    |Washington D.C.|Wellington|Windhoek|Yangon|Yerevan|Zagreb|Zurich
    """.replace("\n", "")
    .replace("    ", "")
    .casefold()
    .split("|")
)

# Countries, and states of the USA as the AP and the post write them: after a place they make a dateline.
REGIONS = frozenset(
    """
    Afghanistan|Albania|Algeria|Angola|Argentina|Armenia|Australia|Austria|Azerbaijan|Bahamas|Bahrain|Bangladesh
    |Belarus|Belgium|Benin|Bolivia|Bosnia|Botswana|Brazil|Britain|Bulgaria|Burkina Faso|Burundi|Cambodia|Cameroon
    |Canada|Chad|Chile|China|Colombia|Congo|Costa Rica|Croatia|Cuba|Cyprus|Czech Republic|Denmark|Djibouti
    |Dominican Republic|Ecuador|Egypt|El Salvador|England|Eritrea|Estonia|Ethiopia|Fiji|Finland|France|Gabon
    |Gambia|Georgia|Germany|Ghana|Greece|Greenland|Guatemala|Guinea|Haiti|Honduras|Hungary|Iceland|India|Indonesia
    |Iran|Iraq|Ireland|Israel|Italy|Ivory Coast|Jamaica|Japan|Jordan|Kazakhstan|Kenya|Kosovo|Kuwait|Kyrgyzstan
    |Laos|Latvia|Lebanon|Lesotho|Liberia|Libya|Lithuania|Luxembourg|Madagascar|Malawi|Malaysia|Maldives|Mali|Malta
    |Mauritania|Mexico|Moldova|Mongolia|Montenegro|Morocco|Mozambique|Myanmar|Namibia|Nepal|Netherlands
    |New Zealand|Nicaragua|Niger|Nigeria|North Korea|North Macedonia|Northern Ireland|Norway|Oman|Pakistan|Panama
    |Papua New Guinea|Paraguay|Peru|Philippines|Poland|Portugal|Puerto Rico|Qatar|Romania|Russia|Rwanda
    |Saudi Arabia|Scotland|Senegal|Serbia|Sierra Leone|Slovakia|Slovenia|Somalia|South Africa|South Korea
    |South Sudan|Spain|Sri Lanka|Sudan|Sweden|Switzerland|Syria|Taiwan|Tajikistan|Tanzania|Thailand|Togo|Trinidad
    |Tunisia|Turkey|Turkmenistan|Uganda|UK|U.K.|Ukraine|United Arab Emirates|UAE|United Kingdom|United States
    |Uruguay|USA|U.S.|Uzbekistan|Venezuela|Vietnam|Wales|West Bank|Yemen|Zambia|Zimbabwe|Ala.|Alaska|Ariz.|Ark.
    |Calif.|California|Colo.|Colorado|Conn.|Del.|D.C.|DC|Fla.|Florida|Ga.|Hawaii|Idaho|Ill.|Illinois|Ind.|Indiana
    |Iowa|Kan.|Kansas|Ky.|Kentucky|La.|Louisiana|Maine|Md.|Maryland|Mass.|Mich.|Michigan|Minn.|Minnesota|Miss.|Mo.
    |Missouri|Mont.|Montana|Neb.|Nebraska|Nev.|Nevada|N.H.|N.J.|New Jersey|N.M.|N.Y.|New York|N.C.|North Carolina
    |N.D.|Ohio|Okla.|Oklahoma|Ore.|Oregon|Pa.|Pennsylvania|R.I.|S.C.|South Carolina|S.D.|Tenn.|Tennessee|Texas
    |Utah|Vt.|Vermont|Va.|Virginia|Wash.|Washington|W.Va.|West Virginia|Wis.|Wisconsin|Wyo.|Wyoming|Ontario|Quebec
    |Alberta|AL|AK|AZ|AR|CA|CO|CT|DE|FL|GA|HI|ID|IL|IN|IA|KS|KY|LA|ME|MD|MA|MI|MN|MS|MO|MT|NE|NV|NH|NJ|NM|NY|NC|ND
    |OH|OK|OR|PA|RI|SC|SD|TN|TX|UT|VT|VA|WA|WV|WI|WY|B.C.
    """.replace("\n", "")
    .replace("    ", "")
    .casefold()
    .split("|")
)

# Lower-case words of bylines and credits: particles of names, prepositions, offices.
BYLINE_WORDS = frozenset(
    """
    a al an and assistant associate at av b bin bint by chief columnist contributing contributor correspondent da de
    del den der di dos du e editor editorial el for freelance from guest health in is la last le local managing min
    mins minute minutes national news of on our para photographer photographs photography photos political politics
    posted published read reporter reporters reporting science senior special sports staff story technology ten ter
    text the to un updated van video videos von with words write writer writers written y am pm est edt cst cdt mst
    mdt pst pdt gmt bst ist utc et ago hours hour days day
    """.split()
)
