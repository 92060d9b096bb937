import type { DeploymentFacts, RealmAnswer, RealmCall } from './call.ts'
import { fromJson, type JsonText, jsonText } from './json.ts'

/**
 * How calls cross from the Worker to the object and back: as texts, which cost a third less than objects. The facts about the deployment are
 * a text of their own, since nearly all calls have the same, which is then written and read once.
 */

/** Texts of facts that the Worker has sent: it makes the facts of an organization once. */
const written = new WeakMap<DeploymentFacts, JsonText<DeploymentFacts>>()

/** The facts that the object has read last. */
let lastRead: { readonly text: string; readonly facts: DeploymentFacts } | undefined

/** A call as it crosses. */
interface CrossingCall {
  readonly text: JsonText<RealmCall> | RealmCall
  readonly facts?: JsonText<DeploymentFacts>
}

/**
 * Prepares a call. Which blocks the Worker holds are lists of numbers that JSON has no form for; and a page of messages is JSON already, which
 * would be quoted once more (`asItIs`). Such calls cross as they are, and so do their answers.
 */
export function crossing(call: RealmCall, asItIs: boolean): CrossingCall {
  if (call.held || asItIs) return { text: call }
  const { deployment, ...source } = call.source
  if (!deployment) return { text: jsonText(call) }
  return { text: jsonText({ ...call, source }), facts: textOf(deployment) }
}

function textOf(facts: DeploymentFacts): JsonText<DeploymentFacts> {
  const known = written.get(facts)
  if (known !== undefined) return known
  const text = jsonText(facts)
  written.set(facts, text)
  return text
}

/** Reads a call that has come in texts. */
export function callIn(
  text: JsonText<RealmCall>,
  deployment: JsonText<DeploymentFacts> | undefined,
): RealmCall {
  const call = fromJson(text)
  if (deployment === undefined) return call
  return { ...call, source: { ...call.source, deployment: factsIn(deployment) } }
}

function factsIn(text: JsonText<DeploymentFacts>): DeploymentFacts {
  if (lastRead?.text === text) return lastRead.facts
  lastRead = { text, facts: fromJson(text) }
  return lastRead.facts
}

/** Writes the answer to a call that came in texts. Bytes cross as they are. */
export function replyOf(answer: RealmAnswer): JsonText<RealmAnswer> | RealmAnswer {
  return answer.inPieces ? answer : jsonText(answer)
}

/** Reads an answer. */
export function answerOf(reply: JsonText<RealmAnswer> | RealmAnswer): RealmAnswer {
  return typeof reply === 'string' ? fromJson(reply) : reply
}
