// Reads the files of an index: gzip files, which are decompressed here, so that any file server can host them.

const KEPT = 300; // row files kept in memory

export async function bytes(path) {
  const response = await fetch(path);
  if (!response.ok) throw new Error(`${path} cannot be read: ${response.status} ${response.statusText}`);
  return new Response(response.body.pipeThrough(new DecompressionStream("gzip"))).arrayBuffer();
}

export async function json(path) {
  return JSON.parse(new TextDecoder().decode(await bytes(path)));
}

// The words of a text, as in the index.
export function wordsOf(text) {
  return [...new Set(text.toLowerCase().match(/[\p{L}\p{N}_]+/gu) ?? [])];
}

// FNV-1a of the UTF-8 bytes, 32 bits.
function shardOf(word, shards) {
  let value = 2166136261;
  for (const byte of new TextEncoder().encode(word)) value = Math.imul(value ^ byte, 16777619) >>> 0;
  return value % shards;
}

// Ids are sorted by code point, but JavaScript compares UTF-16 code units.
function before(one, other) {
  const a = Array.from(one),
    b = Array.from(other);
  for (let i = 0; i < Math.min(a.length, b.length); i++) {
    if (a[i] !== b[i]) return a[i].codePointAt(0) < b[i].codePointAt(0);
  }
  return a.length < b.length;
}

// Columns with several values per row are encoded as sets. ``values`` becomes the individual values.
function apart(column) {
  if (!column.in_sets) return column;
  const sets = column.values.map(([value]) => value.split("\n"));
  const counts = new Map();
  column.values.forEach(([, count], i) => sets[i].forEach((value) => counts.set(value, (counts.get(value) ?? 0) + count)));
  return { ...column, sets, values: [...counts].sort(([, a], [, b]) => b - a) };
}

// The rows of a version's configuration, or the rejects.
export class Table {
  constructor(version, meta) {
    Object.assign(this, meta);
    this.path = `data/${version}/${meta.name}`;
    this.against = `data/${version}/against/${meta.name}`;
    this.names = meta.columns.map((column) => column.name);
    this.values = meta.values.map(apart);
    this.files = new Map();
    this.chunks = new Map();
  }

  // A file of the index, read once; after an error, the next call tries again.
  once(path, read) {
    if (!this.files.has(path)) {
      this.files.set(
        path,
        read(path).catch((problem) => {
          this.files.delete(path);
          throw problem;
        }),
      );
    }
    return this.files.get(path);
  }

  chunk(number) {
    const known = this.chunks.get(number) ?? json(`${this.path}/rows/${Math.floor(number / 256)}/${number % 256}.bin`);
    this.chunks.delete(number); // moved to the end, as the most recently used
    this.chunks.set(number, known);
    known.catch(() => this.chunks.delete(number));
    if (this.chunks.size > KEPT) this.chunks.delete(this.chunks.keys().next().value);
    return known;
  }

  // The row with a number, as an object.
  async row(number) {
    const values = (await this.chunk(Math.floor(number / this.chunk_rows)))[number % this.chunk_rows];
    return Object.fromEntries(this.names.map((name, i) => [name, values[i]]));
  }

  // The split of the row with a number; "" for tables without splits.
  splitOf(number) {
    return this.splits.findLast(([, first]) => first <= number)[0];
  }

  codes(column) {
    const path = column.file.includes("/") ? column.file : `${this.path}/${column.file}`;
    return this.once(path, async () => new (column.wide ? Uint16Array : Uint8Array)(await bytes(path)));
  }

  numbersOf(column) {
    const path = `${this.path}/${column.file}`;
    return this.once(path, async () => new Float64Array(await bytes(path)));
  }

  // Each row's number in the other version.
  counterparts() {
    const path = `${this.against}/number.bin`;
    return this.once(path, async () => new Uint32Array(await bytes(path)));
  }

  // The numbers of the rows that contain a word, ascending.
  async rowsOf(word) {
    const path = `${this.path}/words/${shardOf(word, this.shards)}.bin`;
    const file = await this.once(path, bytes);
    const length = new DataView(file).getUint32(0, true);
    const directory = JSON.parse(new TextDecoder().decode(new Uint8Array(file, 4, length)));
    if (!Object.hasOwn(directory, word)) return new Uint32Array(0);
    const [start, size, count] = directory[word];
    const data = new Uint8Array(file, 4 + length + start, size);
    const rows = new Uint32Array(count);
    for (let i = 0, at = 0, row = 0; i < count; i++) {
      let step = 0,
        shift = 0,
        byte;
      do {
        byte = data[at++];
        step |= (byte & 127) << shift;
        shift += 7;
      } while (byte & 128);
      rows[i] = row += step;
    }
    return rows;
  }

  // The number of the row with an id, or -1.
  find(id) {
    return this.seek(id, (other) => other === id);
  }

  // The number of the first row whose id begins with ``prefix`` and is ``wanted``, or -1.
  async seek(prefix, wanted) {
    const first = await this.once(`${this.path}/first.bin`, json);
    for (let i = 0; i < this.splits.length; i++) {
      const end = i + 1 < this.splits.length ? this.splits[i + 1][1] : this.rows;
      let low = Math.floor(this.splits[i][1] / this.chunk_rows),
        high = Math.floor((end - 1) / this.chunk_rows);
      while (low < high) {
        // the last file of the split that does not begin after the id
        const middle = Math.ceil((low + high) / 2);
        if (before(prefix, first[middle])) high = middle - 1;
        else low = middle;
      }
      // it may be the first row of the next file
      for (const chunk of [low, low + 1]) {
        if (chunk >= first.length) break;
        const place = (await this.chunk(chunk)).findIndex((row) => wanted(row[this.names.indexOf("id")]));
        if (place >= 0) return chunk * this.chunk_rows + place;
      }
    }
    return -1;
  }
}
