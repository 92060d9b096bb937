import { appendFileSync, mkdirSync } from 'node:fs'
import { join, relative } from 'node:path'
import { fromJson } from '../../scripts/json.ts'
import type { Exchange } from './record.ts'

/**
 * Returns what takes the requests of tests, with their answers (record.ts), and writes them to a folder: a file of JSON lines for each
 * file of tests.
 */
export function recorderInto(folder: string, project: string): (request: Request) => Promise<Response> {
  return async (request) => {
    mkdirSync(folder, { recursive: true })
    const lines = new Map<string, string>()
    for (const exchange of fromJson<Exchange[]>(await request.text())) {
      const file = relative(project, exchange.file)
      lines.set(file, `${lines.get(file) ?? ''}${JSON.stringify({ ...exchange, file })}\n`)
    }
    for (const [file, text] of lines) appendFileSync(join(folder, `${file.replaceAll('/', '+')}.jsonl`), text)
    return new Response()
  }
}
