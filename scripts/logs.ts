/**
 * `npm run logs [-- FILE] [--operation NAME] [--status 503|5xx] [--slow MS] [--level warn|error] [--what job] [--sources local|deployed]`:
 * prints lines of the server's log, from a file or from standard input, in a readable form. The rest of the input, such as the address of a
 * starting server, goes to standard error:
 *
 *     LOG=all npm start | npm run logs -- --sources local
 *     npx wrangler tail parley --format json | npm run logs -- --slow 500
 *
 * `--sources` shows where in the source an error comes from, if this checkout is what `npm start` (`local`) or `npm run deploy`
 * (`deployed`) was run with.
 */
import { createReadStream } from 'node:fs'
import { createInterface } from 'node:readline'
import { parseArgs } from 'node:util'
import type { Entry } from './build.ts'
import { describeLine, isWanted, type LogFilter, LogReader } from './log-lines.ts'
import { exitWithError } from './project.ts'
import { SourcesOfBundle } from './sources-of-bundle.ts'

function readOptions(): { file: string | undefined; filter: LogFilter; sources: Entry | undefined } {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      operation: { type: 'string' },
      status: { type: 'string' },
      slow: { type: 'string' },
      level: { type: 'string' },
      what: { type: 'string' },
      sources: { type: 'string' },
    },
  })
  const { sources, ...wanted } = values
  if (sources !== undefined && sources !== 'local' && sources !== 'deployed') {
    throw new Error('--sources takes local or deployed.')
  }
  const slow = values.slow === undefined ? undefined : Number(values.slow)
  if (slow !== undefined && !(slow >= 0)) throw new Error('--slow takes a number of milliseconds.')
  if (values.status !== undefined && !/^\d(\d\d|xx)$/.test(values.status)) {
    throw new Error('--status takes a status, or a class such as 5xx.')
  }
  if (values.level !== undefined && values.level !== 'warn' && values.level !== 'error') {
    throw new Error('--level takes warn or error.')
  }
  return { file: positionals[0], filter: { ...wanted, slow }, sources }
}

async function main(): Promise<void> {
  const { file, filter, sources } = readOptions()
  const bundle = sources && (await SourcesOfBundle.open(sources))
  const input = file === undefined ? process.stdin : createReadStream(file)
  // The lines of a server that is starting: its address, and the accounts to log in with.
  const reader = new LogReader((other) => file === undefined && console.error(other))
  for await (const text of createInterface({ input, crlfDelay: Number.POSITIVE_INFINITY })) {
    for (const line of reader.read(text))
      if (isWanted(line, filter)) console.log(describeLine(line, (stack) => bundle?.explain(stack) ?? stack))
  }
}

// The reader of the output has ended.
process.stdout.on('error', () => process.exit(0))
if (import.meta.main) await main().catch(exitWithError)
