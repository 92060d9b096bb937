import { OUTSIDER, type Performance } from './demo-performance.ts'
import { describeConversation } from './demo-play.ts'

export interface Judgement {
  /** Sentences about what went wrong; empty if all is well. */
  readonly complaints: readonly string[]
  /** The number of lines that all listeners together should have received, and did receive. */
  readonly expected: number
  readonly received: number
  readonly lost: number
  readonly twice: number
  readonly outOfOrder: number
  /** Lines that were received by the wrong people, or with another text. */
  readonly wrong: number
  /** The milliseconds from the beginning of a send to its arrival, for every line and listener. */
  readonly deliveryMs: { readonly min: number; readonly median: number; readonly max: number }
}

/** Judges whether all listeners received every line once, in order and with its text. */
export function judgePerformance(performance: Performance): Judgement {
  const complaints: string[] = []
  const tally = { expected: 0, received: 0, lost: 0, twice: 0, outOfOrder: 0, wrong: 0 }
  const times: number[] = []
  const { lines, sent, heard, userIds } = performance
  const lineOfMessage = new Map(sent.map(({ messageId }, index) => [messageId, index]))
  if (lineOfMessage.size < sent.length) complaints.push('Two lines became one message.')

  for (const [name, arrivals] of heard) {
    const seen = new Set<number>()
    let last = -1
    for (const arrival of arrivals) {
      const index = lineOfMessage.get(arrival.messageId)
      const line = index === undefined ? undefined : lines[index]
      if (index === undefined || line === undefined || name === OUTSIDER || !line.present.includes(name)) {
        tally.wrong += 1
        complaints.push(`${name} heard what is not for them: ${arrival.text}`)
        continue
      }
      if (seen.has(index)) {
        tally.twice += 1
        complaints.push(`${name} heard twice: ${line.text}`)
        continue
      }
      seen.add(index)
      tally.received += 1
      times.push(arrival.at - (sent[index]?.at ?? 0))
      if (index < last) {
        tally.outOfOrder += 1
        complaints.push(`${name} heard too late: ${line.text}`)
      }
      last = Math.max(last, index)
      const asSaid =
        arrival.text === line.text &&
        arrival.senderId === userIds.get(line.speaker) &&
        describeConversation(arrival.conversation) === describeConversation(line.conversation)
      if (!asSaid) {
        tally.wrong += 1
        complaints.push(`${name} heard "${arrival.text}" for ${line.speaker}'s "${line.text}"`)
      }
    }
    lines.forEach((line, index) => {
      if (!line.present.includes(name)) return
      tally.expected += 1
      if (seen.has(index)) return
      tally.lost += 1
      complaints.push(`${name} did not hear: ${line.text}`)
    })
  }
  times.sort((a, b) => a - b)
  const deliveryMs = {
    min: times[0] ?? 0,
    median: times[Math.floor(times.length / 2)] ?? 0,
    max: times.at(-1) ?? 0,
  }
  return { complaints, ...tally, deliveryMs }
}
