import {
  addParticipation,
  deleteParticipation,
  falseParticipations,
  misplacedMessages,
  missingParticipations,
  type Participation,
} from '../../store/verification/recipient-rows.ts'
import { defineCheck } from './check.ts'

const CONVERSATIONS_AT_ONCE = 200
const ROWS_AT_ONCE = 2_000

const whatOf = ({ conversationId, userId }: Participation) => `conversation ${conversationId}, user ${userId}`

/** Checks that everybody in a direct conversation has it among their conversations. */
export const checkParticipants = defineCheck({
  name: 'participants',
  examine({ sql }, after, repair) {
    const { missing, next } = missingParticipations(sql, after, CONVERSATIONS_AT_ONCE)
    if (repair) for (const each of missing) addParticipation(sql, each)
    const problem = 'the conversation is not among theirs'
    return { findings: missing.map((each) => ({ what: whatOf(each), problem, repaired: repair })), next }
  },
})

/** Checks that nobody has a conversation among theirs that is between others. */
export const checkConversations = defineCheck({
  name: 'conversations',
  examine({ sql }, after, repair) {
    const { wrong, next } = falseParticipations(sql, after, ROWS_AT_ONCE)
    if (repair) for (const each of wrong) deleteParticipation(sql, each)
    const problem = 'the conversation is between others'
    return { findings: wrong.map((each) => ({ what: whatOf(each), problem, repaired: repair })), next }
  },
})

/** Checks that every message is in a conversation, or in a topic of its channel. */
export const checkRecipients = defineCheck({
  name: 'recipients',
  examine({ sql }, after) {
    const { misplaced, next } = misplacedMessages(sql, after, ROWS_AT_ONCE)
    const problem = 'is in no conversation, or in a topic of another channel'
    return { findings: misplaced.map((id) => ({ what: `message ${id}`, problem, repaired: false })), next }
  },
})
