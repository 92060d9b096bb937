/**
 * `npm run logs [-- FILE] [--operation NAME] [--status 503|5xx] [--slow MS] [--level warn|error] [--what job]`: prints
 * lines of the server's log, from a file or from standard input, in a form for people. What else is in the input, such as the address
 * of a server that starts, goes to standard error:
 *
 *     LOG=all npm start | npm run logs
 *     npx wrangler tail parley --format json | npm run logs -- --slow 500
 */
import { createReadStream } from 'node:fs'
import { createInterface } from 'node:readline'
import { parseArgs } from 'node:util'
import { describeLine, isWanted, type LogFilter, LogReader } from './log-lines.ts'
import { exitWithError } from './project.ts'

function readOptions(): { file: string | undefined; filter: LogFilter } {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      operation: { type: 'string' },
      status: { type: 'string' },
      slow: { type: 'string' },
      level: { type: 'string' },
      what: { type: 'string' },
    },
  })
  const slow = values.slow === undefined ? undefined : Number(values.slow)
  if (slow !== undefined && !(slow >= 0)) throw new Error('--slow takes a number of milliseconds.')
  if (values.status !== undefined && !/^\d(\d\d|xx)$/.test(values.status)) {
    throw new Error('--status takes a status, or the like of 5xx.')
  }
  if (values.level !== undefined && values.level !== 'warn' && values.level !== 'error') {
    throw new Error('--level takes warn or error.')
  }
  return { file: positionals[0], filter: { ...values, slow } }
}

async function main(): Promise<void> {
  const { file, filter } = readOptions()
  const input = file === undefined ? process.stdin : createReadStream(file)
  // What a server says that is being started: where it answers, and whom to log in as.
  const reader = new LogReader((other) => file === undefined && console.error(other))
  for await (const text of createInterface({ input, crlfDelay: Number.POSITIVE_INFINITY })) {
    for (const line of reader.read(text)) if (isWanted(line, filter)) console.log(describeLine(line))
  }
}

// The reader of the output has ended.
process.stdout.on('error', () => process.exit(0))
if (import.meta.main) await main().catch(exitWithError)
