import { createInterface } from 'node:readline/promises'

/** Asks a question that only "y" or "yes" answers with yes. Without a terminal nobody can be asked, and the answer is no. */
export async function isAgreedTo(question: string): Promise<boolean> {
  if (!process.stdin.isTTY) return false
  const asking = createInterface({ input: process.stdin, output: process.stdout })
  asking.on('SIGINT', () => process.emit('SIGINT'))
  const answer = await asking.question(`\n${question} [y/N] `)
  asking.close()
  return /^y(es)?$/i.test(answer.trim())
}
