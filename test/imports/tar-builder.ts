/** Writes tar archives as `tar` does. */
export function tarOf(files: Readonly<Record<string, string | Uint8Array>>): Uint8Array {
  const parts = Object.entries(files).flatMap(([name, content]) => {
    const bytes = Buffer.from(content)
    const long = Buffer.byteLength(name) > 100
    const record = `path=${name}\n`
    const length = String(Buffer.byteLength(record) + 4)
    const pax = Buffer.from(`${length} ${record}`)
    return [
      ...(long ? [header('pax', pax.length, 'x'), padded(pax)] : []),
      header(long ? 'long' : name, bytes.length, '0'),
      padded(bytes),
    ]
  })
  return new Uint8Array(Buffer.concat([...parts, Buffer.alloc(1024)]))
}

export function header(name: string, size: number, kind: string): Buffer {
  const record = Buffer.alloc(512)
  record.write(name, 0)
  record.write(size.toString(8).padStart(11, '0'), 124)
  record.write(kind, 156)
  record.write('ustar', 257)
  record.write(' '.repeat(8), 148)
  const sum = record.reduce((total, byte) => total + byte, 0)
  record.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148)
  return record
}

function padded(bytes: Buffer): Buffer {
  return Buffer.concat([bytes, Buffer.alloc((512 - (bytes.length % 512)) % 512)])
}
