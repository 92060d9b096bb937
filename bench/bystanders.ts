/** Measures a send while many users wait who do not receive the message. */
import { encodeFields } from '../scripts/api-client.ts'
import { endAll, poll, registerAll } from './fan-out.ts'
import { Connections } from './http-load.ts'
import type { BenchOrganization } from './organization.ts'

export interface Bystanders {
  readonly waiting: number
  /** The median time of consecutive sends, in ms. */
  readonly sendMs: number
  /** The ratio to the time without waiting users. */
  readonly ratio: number
}

const SENDS = 150
const WAITING = 1_000
/** The time in which all polls arrive and are held, in milliseconds. */
const SETTLE_MS = 1_500

export async function measureBystanders(organization: BenchOrganization): Promise<Bystanders[]> {
  const { url, people } = organization
  const connections = new Connections()
  const alone = await sendOneByOne(connections, organization)
  const queues = await registerAll(connections, url, people.slice(0, WAITING))
  let answered = 0
  const polls = queues.map((queue) =>
    poll(connections, url, queue).then(() => {
      answered += 1
    }),
  )
  await new Promise((resolve) => setTimeout(resolve, SETTLE_MS))
  const beside = await sendOneByOne(connections, organization)
  if (answered > 0) throw new Error(`${answered} polls were answered although they should have waited`)
  await endAll(connections, url, queues)
  await Promise.all(polls)
  connections.close()
  return [
    { waiting: 0, sendMs: alone, ratio: 1 },
    { waiting: queues.length, sendMs: beside, ratio: beside / alone },
  ]
}

async function sendOneByOne(connections: Connections, organization: BenchOrganization): Promise<number> {
  const { url, speaker } = organization
  const form = encodeFields({ type: 'direct', to: [speaker.id], content: 'a note to myself' })
  const times: number[] = []
  for (let count = 0; count < SENDS; count += 1) {
    const began = performance.now()
    await connections.ask({
      method: 'POST',
      url: `${url}/api/v1/messages`,
      form,
      headers: speaker.authorization,
    })
    times.push(performance.now() - began)
  }
  return times.sort((a, b) => a - b)[Math.floor(times.length / 2)]!
}
