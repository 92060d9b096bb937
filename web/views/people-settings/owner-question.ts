import { s } from '../../texts/settings.ts'
import type { Question } from '../../ui/question.tsx'

const OWNER = 100

/** Owners may do everything, including demoting others, so making one needs a confirmation. */
export function ownerQuestion(role: number, title: string, button?: string): Question | undefined {
  return role === OWNER ? { title, text: s.invitations.ownerWarning, button } : undefined
}
