// The words that differ between two texts, by their longest common subsequence.

const MOST = 4_000_000; // pairs of words; longer texts are compared at their ends alone
const LEAST_SHARED = 0.5; // of the words of the longer text; where fewer are shared, marks say nothing

// Both texts in pieces [text, changed].
export function marked(old, now) {
  const one = old.split(/\s+/).filter(Boolean),
    other = now.split(/\s+/).filter(Boolean);
  let begin = 0;
  while (begin < Math.min(one.length, other.length) && one[begin] === other[begin]) begin++;
  let end = 0;
  while (end < Math.min(one.length, other.length) - begin && one.at(-1 - end) === other.at(-1 - end)) end++;
  const a = one.slice(begin, one.length - end),
    b = other.slice(begin, other.length - end);
  const kept = a.length * b.length <= MOST ? shared(a, b) : [];
  if (begin + end + kept.length < LEAST_SHARED * Math.max(one.length, other.length))
    return [[[old, false]], [[now, false]]];
  const inOne = new Set(kept.map(([i]) => begin + i)),
    inOther = new Set(kept.map(([, k]) => begin + k));
  const same = (list, common) => (i) => i < begin || i >= list.length - end || common.has(i);
  return [pieces(one, same(one, inOne)), pieces(other, same(other, inOther))];
}

// Places of the words of a longest common subsequence.
function shared(a, b) {
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
