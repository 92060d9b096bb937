/**
 * `npm run demo [-- --lines N] [--latency MS]`: a conversation to watch. Starts a server, makes an
 * organization with three users in two channels and a group conversation, and lets them perform a scene of
 * a play, over HTTP and live event queues. Ends with exit code 1 if a line is lost, repeated, out of order,
 * or received by the wrong people. `--latency 150`: as for people far away from the realm object, D1 and R2.
 */
import { parseArgs } from 'node:util'
import { performPlay } from './demo-performance.ts'
import { describeConversation, type PlayLine, readPlay } from './demo-play.ts'
import { type Judgement, judgePerformance } from './judge-performance.ts'
import { readLatency } from './latency.ts'
import { startLocalServer } from './local-server.ts'
import { createOrganization } from './organizations.ts'
import { exitWithError } from './project.ts'

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: { lines: { type: 'string' }, latency: { type: 'string', default: '0' } },
  })
  const latency = readLatency(values.latency)
  const lines = readPlay().slice(0, values.lines === undefined ? undefined : Number(values.lines))
  const server = await startLocalServer({
    vars: { RATE_LIMITS: 'off', LOG: 'troubles', LATENCY_MS: String(latency) },
  })
  try {
    const database = await server.runtime.getD1Database('DB')
    const organization = await createOrganization(server.url, (sql) => database.prepare(sql).run(), {
      name: 'Elsinore',
      host: 'localhost',
      owner: { email: 'author@example.com', full_name: 'The Author', password: 'a public domain' },
    })
    console.log(`Parley at ${server.url}; ${lines.length} lines, three people\n`)
    const judgement = judgePerformance(await performPlay(server.url, organization, lines, printer()))
    printJudgement(lines.length, judgement)
    process.exitCode = judgement.complaints.length === 0 ? 0 : 1
  } finally {
    await server.stop()
  }
}

/** Returns a printer of lines that have arrived, with a heading where the conversation changes. */
function printer(): (line: PlayLine, deliveriesMs: readonly number[]) => void {
  let conversation = ''
  return (line, deliveriesMs) => {
    const here = describeConversation(line.conversation)
    if (here !== conversation) console.log(`\n  ${here}  (${line.present.join(', ')})`)
    conversation = here
    const slowest = Math.max(0, ...deliveriesMs).toFixed(0)
    const heard = `${deliveriesMs.length}/${line.present.length} in ${slowest.padStart(2)} ms`
    console.log(`${line.speaker.padStart(10)}  ${line.text.padEnd(56)}  ${heard}`)
  }
}

function printJudgement(lines: number, judgement: Judgement): void {
  const { complaints, expected, received, lost, twice, outOfOrder, wrong, deliveryMs } = judgement
  console.log(`
Lines sent          ${lines}
Deliveries          ${received} of ${expected}
Lost                ${lost}
Twice               ${twice}
Out of order        ${outOfOrder}
Wrong or overheard  ${wrong}
Delivery time       min ${ms(deliveryMs.min)}, median ${ms(deliveryMs.median)}, max ${ms(deliveryMs.max)}
`)
  for (const complaint of complaints) console.log(complaint)
  console.log(complaints.length === 0 ? 'No complaints.' : `${complaints.length} complaints.`)
}

function ms(value: number): string {
  return `${value.toFixed(1)} ms`
}

if (import.meta.main) await main().catch(exitWithError)
