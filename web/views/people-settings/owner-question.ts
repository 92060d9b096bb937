import { s } from '../../texts/settings.ts'
import type { Question } from '../../ui/question.tsx'

const OWNER = 100

/** An owner may do everything, also take it from others: making one is asked once more. */
export function ownerQuestion(role: number, title: string): Question | undefined {
  return role === OWNER ? { title, text: s.invitations.ownerWarning } : undefined
}
