// The words that differ between two texts, by their longest common subsequence.

const MOST = 4_000_000; // pairs of words; longer texts are compared only at their ends
const LEAST_SHARED = 0.5; // of the longer text's words; with fewer, marks would not be informative

// Both texts as pieces [text, changed].
export function marked(old, now) {
  const one = wordsIn(old),
    other = wordsIn(now);
  const kept = shared(one, other);
  if (kept.length < LEAST_SHARED * Math.max(one.length, other.length)) return [[[old, false]], [[now, false]]];
  const inOne = new Set(kept.map(([i]) => i)),
    inOther = new Set(kept.map(([, k]) => k));
  return [pieces(one, (i) => inOne.has(i)), pieces(other, (i) => inOther.has(i))];
}

// One text with the words of both, as pieces [text, kind]: "" for shared words, "del" and "ins" for the others.
export function merged(old, now) {
  const one = wordsIn(old),
    other = wordsIn(now);
  const found = [];
  const add = (words, kind) => words.length && found.push([words.join(" "), kind]);
  let i = 0,
    k = 0,
    same = [];
  for (const [nextI, nextK] of [...shared(one, other), [one.length, other.length]]) {
    if (nextI > i || nextK > k) {
      add(same, "");
      same = [];
      add(one.slice(i, nextI), "del");
      add(other.slice(k, nextK), "ins");
    }
    if (nextI < one.length) same.push(one[nextI]);
    [i, k] = [nextI + 1, nextK + 1];
  }
  add(same, "");
  return found;
}

function wordsIn(text) {
  return text.split(/\s+/).filter(Boolean);
}

// Positions [in the first, in the second] of the shared words, in order.
function shared(one, other) {
  const least = Math.min(one.length, other.length);
  let begin = 0;
  while (begin < least && one[begin] === other[begin]) begin++;
  let end = 0;
  while (end < least - begin && one.at(-1 - end) === other.at(-1 - end)) end++;
  const a = one.slice(begin, one.length - end),
    b = other.slice(begin, other.length - end);
  const between = a.length * b.length <= MOST ? common(a, b) : [];
  return [
    ...Array.from({ length: begin }, (_, i) => [i, i]),
    ...between.map(([i, k]) => [begin + i, begin + k]),
    ...Array.from({ length: end }, (_, i) => [one.length - end + i, other.length - end + i]),
  ];
}

// Positions of the words in a longest common subsequence.
function common(a, b) {
  const width = b.length + 1;
  const best = new Uint16Array((a.length + 1) * width);
  for (let i = a.length - 1; i >= 0; i--) {
    for (let k = b.length - 1; k >= 0; k--) {
      best[i * width + k] =
        a[i] === b[k]
          ? best[(i + 1) * width + k + 1] + 1
          : Math.max(best[(i + 1) * width + k], best[i * width + k + 1]);
    }
  }
  const found = [];
  for (let i = 0, k = 0; i < a.length && k < b.length;) {
    if (a[i] === b[k]) found.push([i++, k++]);
    else if (best[(i + 1) * width + k] >= best[i * width + k + 1]) i++;
    else k++;
  }
  return found;
}

function pieces(list, isSame) {
  const found = [];
  list.forEach((word, i) => {
    const changed = !isSame(i);
    if (found.length && found.at(-1)[1] === changed) found.at(-1)[0].push(word);
    else found.push([[word], changed]);
  });
  return found.map(([words, changed]) => [words.join(" "), changed]);
}
