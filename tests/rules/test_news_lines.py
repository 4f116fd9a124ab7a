"""The site's own lines go; sentences that begin like them stay."""
from __future__ import annotations

import pytest

from rules.text.news_lines import is_boilerplate
from rules.text.news_tails import is_credit, without_notes, without_tail


@pytest.mark.parametrize("line", [
    "Advertisement", "ADVERTISEMENT", "Story continues below advertisement", "Article continues after this ad",
    "Scroll to continue", "Continue reading the main story", "Read more", "READ MORE: Mayor opens bridge",
    "Read more: The bridge that never was.", "Read more about the bridge here.", "Read more on this story.",
    "Read the full story", "Read our full review", "Read also: Bridges of the world",
    "Also read: The town without a bridge.", "See also: Bridges", "Related: Who is the mayor?", "RELATED STORIES",
    "Related articles", "MORE: Black-led group strikes deal to revitalize site, could bring $5B megaproject",
    "More from our site", "More on this story", "WATCH: The mayor speaks.", "Watch the video above.",
    "Watch live: The mayor speaks", "VIDEO: Breast Cancer Symptoms That Aren't Lumps", "Listen to our podcast here.",
    "Gallery: Bridges of the world (Photo Services)", "Click here to sign up for our newsletter.", "Sign up here",
    "Sign up for our daily newsletter and never miss a story.", "Sign up to receive the latest updates",
    "Subscribe now", "Subscribe to our channel on YouTube.",
    "Get The Times of Israel's Daily Edition by email and never miss our top stories Free Sign Up",
    "Get breaking news alerts in your inbox.", "Do you want to be informed of our actions? Sign up here",
    "Then sign up for our email newsletter to get the latest updates.", "Enter your email address",
    "Already a subscriber? Log in", "Thank you for subscribing!", "Support our journalism with a donation.",
    "Image copyright Getty Images", "Image caption The mayor at the bridge", "Media caption The mayor speaks",
    "Image: The bridge on Tuesday. Pic: AP", "Photo: Jane Roe", "Photo by Jane Roe/Getty Images",
    "Photo credit: Jane Roe", "(Photo by Jane Roe/Getty Images)", "(Credit: Clayton Aldern / Grist)",
    "Photo Source: Markus Spiske from Pexels.", "Picture: PA", "AP Photo/Jane Roe", "REUTERS/Jane Roe",
    "Source: Reuters", "Credit: Jane Roe", "Getty Images", "Featured image courtesy of the town", "Image via Twitter",
    "File photo", "FILE PHOTO: The mayor at the bridge", "Share", "Share this article", "Share on Facebook",
    "Share Tweet Email", "Tweet", "Facebook Twitter WhatsApp", "Copy link", "1.2K Shares", "12 Comments",
    "3 min read", "Estimated reading time: 6 minutes", "Follow us on Twitter @news",
    "Follow us on Facebook and Instagram", "Like us on Facebook", "Follow Jane Roe on Twitter.", "Follow @janeroe",
    "Contact the reporter at jane.roe@example.com.", "You can follow us on Twitter.", "This site uses cookies.",
    "We use cookies to improve your experience.", "By continuing to use this site you agree to our terms.",
    "This website uses cookies and other technology to enhance quality of service.", "Manage your cookie preferences",
    "Please enable JavaScript to continue.", "This article originally appeared on VICE US.",
    "This story was first published in The Town Crier.", "This story has been updated with comment.",
    "This article was amended on 3 May 2018.", "Originally published at example.com.",
    "Republished with permission from Grist.", "A version of this article appears in print on May 3.",
    "Editor's note: The mayor is a cousin of the editor.", "EDITOR’S NOTE — This contains details.",
    "The views expressed here are those of the author.",
    "The opinions expressed in this article are the author's own.", "Disclaimer: We own shares.",
    "Copyright 2018 The Associated Press. All rights reserved. This material may not be published.",
    "© 2018 The Town Crier", "All rights reserved.", "Leave a comment", "Comments are closed.",
    "What do you think? Let us know in the comments below.", "Have your say in our poll", "Join the conversation",
    "Let us know what you think in the comments.", "Tell us what you think below.",
    "Do you have a story? Email us at tips@example.com.", "Got a tip? Email us.",
    "We want to hear what you think about this article. Submit a letter to the editor.",
    "Published: 3 May 2018 10:15", "Updated May 3, 2018", "April 3, 2019", "Last updated on 3 May 2018", "* * *",
    "____", "2/5", "###", "— Seth Goldstein (@Rabbi_360) January 7, 2020", "Tags: bridge, mayor",
    "Filed under: Bridges", "Topics", "If you're on the ABC7 News app, click here to watch live",
    "If you enjoyed this, sign up for our newsletter.", "For more information, visit www.example.com.",
    "Never miss the latest news by signing up to our newsletter today!", "Update July 3rd, 8:05AM ET: Added a map.",
    "[What you need to know to start the day: Get New York Today in your inbox.]",
    "Unfortunately, this video is not available in your region.", "Medically reviewed by Jane Roe, MD",
    "Are you in the grips of the storm? Please share your videos, but stay safe.",
    "Written or reviewed by a board-certified physician. See our Medical Review Board.",
    "Correction: The bridge has two lanes.", "Correction added Nov. 18, 2019: The caption was wrong.",
    "Correction, Nov. 15, 2019: This article named the wrong bridge.", "Like this story? Share it with a friend!",
    "Correction 8/29/10 7:05 a.m. PDT: A previous version named the wrong bridge.", "This copy is for your personal use only.",
    "The views and opinions expressed in the article do not reflect ours.", "Email Jane Roe at jroe@example.com or follow her.",
    "Have a tip? Jane Roe may be reached at jroe@example.com.",
    "Get Motor Cycle Monthly delivered through your letterbox for £11.99. Click here for more information.",
    "For the latest stories and breaking news updates download the Town News app.", "Next: Seeking Solitude.",
    "For the latest news, follow us on Twitter.", "Join now or renew to get:", "This is a preview of subscription content.",
    "Want to bookmark your favourite articles? Start your Independent Premium subscription today.",
    "Feel free to send us your comments and criticisms.",
    "The mayor (right) looks on as the head of the works opens the bridge.",
    "Jane Roe (left) and the mayor at the bridge.", "The crew (pictured, right) at the bridge on Tuesday.",
    "Minister of Works, the Hon. Jane Roe (second from left), and the mayor at the bridge on Tuesday.",
    "(function() { document.addEventListener('DOMContentLoaded', function() { run(); }); })();", "Download our free app here.",
    "Download the Microsoft News app for full coverage", "Don't miss our latest stories", "ICYMI: The bridge",
    "You may also like", "Recommended for you", "Opens in a new window",
    "The post Bridge opens appeared first on Town Crier.", "Tickets and more info at: luboku.com.",
    "WANT MORE RECIPES? Subscribe to our newsletter and follow us on Facebook.",
    "stunning https://t.co/abc pic.twitter.com/xyz", "Image source, Getty Images",
    "Image caption, The mayor opened the bridge.", "This article is more than 2 years old",
    "This is a breaking news story.", "This is a developing story and will be updated.", "Check back for updates.",
    "Fox News Flash top headlines are here. Check out what's clicking on Foxnews.com.",
    "NEWYou can now listen to Fox News articles!", "You can now listen to our articles.",
    "Get breaking news alerts and special reports. The news that matters.",
    "Our Standards: The Thomson Reuters Trust Principles.", "(This May 3 story corrects the name in paragraph 4)",
    "(Corrects spelling in headline)", "As an Amazon Associate I earn from qualifying purchases.",
    "All products featured here are independently selected by our editors.",
    "We may earn a commission from links on this page.", "When you buy through our links, we may earn a commission.",
    "Warning: This article contains graphic images.",
    "This post may contain affiliate links, which means I may receive a small commission.",
    "Your browser does not support the audio element.", "[Read: How the bridge fell]", "Scroll down for video",
    "View comments", "First published on Tue 3 May 2018 10.15 BST",
    "(Adds reported link to attacker, description)", "(Corrects first paragraph to say ten)",
    "Police stand at a car in London, October 7, 2017. REUTERS/Dylan Martinez", "The mayor at the bridge. (AP Photo/Jane Roe)",
    "The mayor waves at the bridge on Tuesday. (Photo by Jane Roe/Getty Images)", "The mayor waves at the bridge [Photo: Jane Roe]",
    "The mayor smiles. AFP/Getty Images", "The bridge, as it was in 1999 (Reuters)", "The bridge in the rain. Getty Images",
    "VHP leader Sadhvi Prachi. Photo: ANI", "The mayor at the bridge. Image: Jane Roe",
    "To read the full story, click here.", "This content is not available in your region." ,
])
def test_the_sites_lines_go(line: str) -> None:
    assert is_boilerplate(line)


@pytest.mark.parametrize("text", [
    "Read more books, the minister said, and you will know.", "Read more than a page and you are lost.",
    "More than 100 people came to the bridge.", "More people said they would come.",
    "Share prices fell on Monday as investors sold.", "Shares of Apple rose 3%.",
    "Like many others, she stayed at home.", "Follow the money, he told reporters on Twitter.",
    "Sign language is taught in schools.", "Sign up for the army, the poster said.", "Subscribers left in droves.",
    "Get out, she said, and never come back.", "Photographs show the bridge before the flood.",
    "Photos of the scene were shown in court.", "Pictures showed the bridge in flames.",
    "Image is everything in politics, he said.", "Video of the attack was shared on Facebook, police said.",
    "Video footage showed the man at the bridge.", "Source of the fire was a candle.",
    "Sources said the deal was done.", "Credit card debt rose last year.", "Credits for the film rolled at ten.",
    "Watching the game, he fell asleep.", "Watch out for bears.", "See you in court, the lawyer said.",
    "Related to the king, he had no fear.", "Related industries were hit as well.",
    "Advertisement spending fell by half last year across Europe, the report found.",
    "Support for the mayor fell to 30 percent.", "Join or die was the motto of the rebels.",
    "Join our union, he said, or leave.", "This story is about a bridge.", "This article of the law was struck down.",
    "This site was once a factory.", "These were the last words of the mayor.",
    "The post of mayor has been vacant since May.", "The video shows a man at the bridge.",
    "The views from the bridge are splendid.",
    "The article was published in Nature on Monday and shows how birds sing.",
    "Published in 1851, the book is still read.", "Updated rules come into force in May.",
    "Copyright law is complex.", "All rights are equal, the judge said.", "Comments by the minister caused anger.",
    "Comment is free, but facts are sacred.", "Tags were found on the dead birds.",
    "Topics ranged from war to peace.", "If you ask the mayor, it is fine.",
    "If you want to sell a house, wait for spring.", "For more than a year the bridge was closed.",
    "For the latest of his films, he went to Rome.", "By continuing the war, he lost it all.",
    "To read is to live, she wrote.", "To see the bridge, you have to go to the river.",
    "You can follow the river to the sea.", "You must be joking, she said.",
    "You can find the plant in every garden.", "Cookies are baked at ten every day.",
    "Accept what you cannot change, he said.", "Please be kind, the sign said.",
    "Please help us, she cried into the phone.", "Email was invented in 1971.", "Facebook said it would appeal.",
    "Twitter shares fell 10%.", "Facebook Inc. rose.", "Contact with the crew was lost at ten.",
    "Find the killer and the case is closed.", "What do you think he did then?", "Have you ever seen a bridge fall?",
    "Tell us the truth, they shouted.", "Do you know the mayor?", "Do you have a car?",
    "Leave the town, they were told.", "Post offices will close.", "Continue like this and we will lose, he said.",
    "Thank you for coming, she said.", "In the end she left.", "It looks like rain.",
    "Editor Jane Roe left the paper.", "Reuters reported on Monday that it was over.", "AP style asks for a comma.",
    "Get the job done by email.", "Visit the town in May.", "Learn more languages, she said.",
    "Learning more about bridges is fun.", "Next year will be better.", "Next week, the mayor will go.",
    "Loading the ship took a week.", "Ends justify means, he said.", "Getty bought the painting in 1953.",
    "Stock prices fell.", "Cover crops protect the soil.", "File your taxes by May.",
    "Lead poisoning is on the rise.", "Registered gas fitter Hartley did a rushed job.",
    "Donate blood, the hospital said.", "Downloads of the app doubled.", "Become a nurse, her mother told her.",
    "Keep in mind that a lemon tree needs a lot of nitrogen to grow well.",
    "Stay alert to stop coronavirus spreading - here is the latest government guidance.",
    "Get well soon was written on the card.", "Take the bridge and turn left.", "Try this recipe with apples.",
    "Share of renewables in power rose to 40%.", "Images of the flood went around the world.",
    "We hope you will come, she said.", "When you buy a house, look at the roof.", "All products were recalled.",
    "Check the roof before winter.", "As an engineer I love bridges.", "This is a town of bridges.",
    "This is more than I had hoped for, she said.", "(This is not a bridge.)", "Every product has its price.",
    "Stay with me, she said.", "Video source code was leaked on Monday.", "10 May 2018 was the day of the flood.",
    "5 people were hurt.", "“Read more,” he said.", "Live music was played all night.",
    "The party moved to the far left, the paper found.", "The VVD of Mark Rutte (centre-right) won 34 seats.",
    "The party (left) lost two seats and the mayor (right) won them.", "A pain in the belly (right) may be a sign of it.",
    "The AfD (far right) came second in the poll on Sunday.", "The mayor (right) said she would open it on Tuesday.",
    "The paper (its left wing) was closed in May.", "Next: that was his favourite word, his mother said.",
    "His subscription ran out in May.", "Feel free to disagree, she said.", "Join now or never, he told them.",
    "Its main function (to carry cars) is lost.", "The document. It was lost in the fire.",
    "Update of the maps took until May.", "He thought of signing up for the army.",
    "Written by the mayor in 1999, the plan was reviewed by a judge.", "Fact and fiction met in his life.",
    "Reviewed by a court, the plan was found to be lawful and work on the bridge began in May.",
    "Correction of the river took a decade.", "The crew can be reached at sea by radio only.",
    "Email use at work has doubled.", "Like this story, the film has no end.",
    "Opinion polls show a dead heat.", "Opinions differ on this.", "Poll workers were paid.", "Video games are art.",
])
def test_sentences_stay(text: str) -> None:
    assert not is_boilerplate(text)
    assert not is_credit(text)
    assert without_tail(text) == text


@pytest.mark.parametrize("line", [
    "Reporting by Jane Roe; Editing by John Doe", "(Reporting by Jane Roe in London; editing by John Doe)",
    "Additional reporting by Jane Roe.", "AP writer Jane Roe contributed from Paris.",
    "Associated Press writers Jane Roe in Paris and John Doe in London contributed.",
    "Alex Isenstadt contributed to this report.", "The Associated Press contributed to this report.",
    "Jane Roe and John Doe contributed reporting.", "With reporting by Jane Roe", "With inputs from PTI",
    "(With agency inputs from Delhi)", "Writing by Jane Roe", "— Jane Roe contributed to this story.",
])
def test_credits_go(line: str) -> None:
    assert is_credit(line)


@pytest.mark.parametrize("tail", [
    " (Reporting by Jane Roe; Editing by John Doe)", " (Reporting By Jane Roe, writing by John Doe",
    " (With inputs from PTI)", " Image credit: www.apple.com/in/", " Credit: Jane Roe",
    " Read more", " Read more here.", " Click here", " By U.S. CUSTOMS AND BORDER PROTECTION", " By Jane Roe", " ###",
    " -30-", " ■", " (JR)", " (ANI)", "(AFP/JR)", " (This story has not been edited by our staff.)", " ❖",
])
def test_tails_go(tail: str) -> None:
    assert without_tail("The mayor opened the bridge." + tail) == "The mayor opened the bridge."


@pytest.mark.parametrize("text", [
    "He had stood by the door (a photo shows).", "She works for the World Health Organization (WHO)",
    "Was it them? (He did.)", "The bridge (built by Jane Roe) is old.",
    "He gave this credit: none.", "The film (edited in Rome) is long.", "It was sold. By May it was gone.",
    "It ended there. The end", "He was shot by Jane Roe", "Work stopped. Photo shoots went on.",
    "She asked: who wrote the book?",
])
def test_ends_of_sentences_stay(text: str) -> None:
    assert without_tail(text) == text


def test_notes_on_the_author_go_at_the_end_only() -> None:
    story = ["Jane Roe is the mayor of the town.", "The bridge was opened by her."]
    assert without_notes([*story, "Jane Roe is a staff writer at The Atlantic."], "") == story
    notes = ["John Doe teaches law at Yale.", "Max Lee, KBS World Radio News."]
    assert without_notes([*story, *notes], "John Doe; A B") == story
    assert without_notes([*story, "– Augustus Welby, Writer"], "") == story
    assert without_notes(story[:1], "") == story[:1]
    long = "John Doe is a writer, and he was shot in the leg on Monday night, when the bridge was opened. " * 3
    assert without_notes([*story, long], "") == [*story, long]
    assert without_notes([], "Jane Roe") == []


def test_hostile_lines_take_linear_time() -> None:
    for piece in ("Read more ", "share ", "(Reporting by ", "photo ", "Jane Roe ", "get your ", "this article ", "| ",
                  "Photo: a ", "By A "):
        text = piece * 20_000
        for length in (690, len(text)):
            is_boilerplate(text[:length])
            is_credit(text[:length])
            without_tail(text[:length])
            without_notes([text[:length]], "Jane Roe")
