import { newestMessageId } from '../../store/messages/message-rows.ts'
import {
  addParticipation,
  deleteParticipation,
  falseParticipations,
  misplacedMessages,
  missingParticipations,
  type Participation,
} from '../../store/verification/check-rows.ts'
import {
  deleteReadBlock,
  listWrongFloors,
  listWrongPeriods,
  listWrongReadBlocks,
  lowerReadFloor,
  nextRange,
} from '../../store/verification/verification-rows.ts'
import { defineCheck, type Found } from './check.ts'

const USERS_AT_ONCE = 200

/** Checks that periods of a subscription follow one another. */
export const checkPeriods = defineCheck({
  name: 'subscription periods',
  examine({ sql }, after) {
    const { upTo, next } = nextRange(sql, 'user', after, USERS_AT_ONCE)
    const findings = listWrongPeriods(sql, after, upTo).map(({ userId, channelId }) => ({
      what: `user ${userId}, channel ${channelId}`,
      problem: 'periods of the subscription overlap, or end before they begin',
      repaired: false,
    }))
    return { findings, next }
  },
})

/** Checks that the messages that count as read have existed. */
export const checkReading = defineCheck({
  name: 'read messages',
  examine({ sql }, after, repair) {
    const newest = newestMessageId(sql)
    const { upTo, next } = nextRange(sql, 'user', after, USERS_AT_ONCE)
    const findings: Found[] = []
    for (const userId of listWrongFloors(sql, after, upTo, newest)) {
      if (repair) lowerReadFloor(sql, userId, newest)
      const problem = 'more is read than was ever sent'
      findings.push({ what: `user ${userId}`, problem, repaired: repair })
    }
    for (const { userId, block } of listWrongReadBlocks(sql, after, upTo, newest)) {
      if (repair) deleteReadBlock(sql, userId, block)
      const problem = `block ${block} of what is read is damaged`
      findings.push({ what: `user ${userId}`, problem, repaired: repair })
    }
    return { findings, next }
  },
})

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

/** Checks that nobody has a conversation between others among theirs. */
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
