/** A file of an archive. */
export interface ArchivedFile {
  readonly name: string
  readonly bytes: Uint8Array<ArrayBuffer>
}

/** Returns the files of a tar archive, by name; throws for a malformed one. */
export function readTar(archive: Uint8Array<ArrayBuffer>): Map<string, ArchivedFile> {
  const files = new Map<string, ArchivedFile>()
  let extended = new Map<string, string>()
  for (let at = 0; ; ) {
    const header = archive.subarray(at, at + 512)
    if (header.length < 512) throw new Error(`The archive ends in a header at ${at}`)
    if (header.every((byte) => byte === 0)) {
      const end = archive.subarray(at)
      if (end.length !== 1024 || end.some((byte) => byte !== 0)) throw new Error(`No clean end at ${at}`)
      return files
    }
    requireChecksum(header, at)
    const size = Number(extended.get('size') ?? Number.parseInt(textAt(header, 124, 12), 8))
    const bytes = archive.subarray(at + 512, at + 512 + size)
    if (bytes.length < size) throw new Error(`The archive ends in a file at ${at}`)
    if (textAt(header, 156, 1) === 'x') {
      extended = readRecords(bytes)
    } else {
      const name = extended.get('path') ?? textAt(header, 0, 100)
      if (files.has(name)) throw new Error(`${name} is there twice`)
      files.set(name, { name, bytes })
      extended = new Map()
    }
    at += 512 + Math.ceil(size / 512) * 512
  }
}

function textAt(header: Uint8Array, at: number, length: number): string {
  return new TextDecoder().decode(header.subarray(at, at + length)).replace(/\0.*$/s, '')
}

function requireChecksum(header: Uint8Array, at: number): void {
  const sum = header.reduce((total, byte, index) => total + (index >= 148 && index < 156 ? 32 : byte), 0)
  if (sum !== Number.parseInt(textAt(header, 148, 8), 8)) throw new Error(`Wrong checksum at ${at}`)
}

/** `{length} {key}={value}\nReads records of the form `{length} {key}={value} */
function readRecords(bytes: Uint8Array): Map<string, string> {
  const records = new Map<string, string>()
  for (let at = 0; at < bytes.length; ) {
    const length = Number.parseInt(new TextDecoder().decode(bytes.subarray(at, at + 20)), 10)
    const record = new TextDecoder().decode(bytes.subarray(at, at + length))
    const [, key, value] = /^\d+ ([^=]+)=(.*)\n$/s.exec(record) ?? []
    if (key === undefined || value === undefined) throw new Error(`No record: ${record}`)
    records.set(key, value)
    at += length
  }
  return records
}
