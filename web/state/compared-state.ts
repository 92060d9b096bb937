import {
  COMPARED_SECTIONS,
  type ComparedSection,
  type ComparedState,
  comparedOrganization,
  comparedSettings,
  partOfThing,
  textOfPart,
  textOfSection,
} from '../../src/rules/compared-state.ts'
import type { ChatState } from './chat-state.ts'

/** Digests of the server's state, by section (docs/interface/register.md#the-digest-of-the-state). */
export type StateDigests = Readonly<Record<ComparedSection, string>>

/** Returns the texts of the state as of now: a text for each part of each section. */
export function comparedTexts(state: ChatState): Map<ComparedSection, Map<number, string>> {
  const compared = comparedIn(state)
  return new Map(
    COMPARED_SECTIONS.map((section) => {
      const parts = Map.groupBy(compared[section], (thing) => partOfThing(section, thing))
      return [section, new Map([...parts].map(([part, things]) => [part, textOfPart(section, things)]))]
    }),
  )
}

/** Returns the sections that differ from the server's. */
export async function driftedSections(
  texts: ReturnType<typeof comparedTexts>,
  digests: StateDigests,
): Promise<ComparedSection[]> {
  const drifted: ComparedSection[] = []
  for (const [section, parts] of texts) {
    const own = new Map<number, string>()
    for (const [part, text] of parts) own.set(part, await sha256(text))
    if ((await sha256(textOfSection(own))) !== digests[section]) drifted.push(section)
  }
  return drifted
}

function comparedIn(state: ChatState): ComparedState {
  const channels = [...state.channels.values()]
  return {
    people: [...state.users.values()].filter(({ is_system_bot }) => !is_system_bot),
    channels,
    subscriptions: channels.flatMap(({ stream_id, subscription }) =>
      subscription ? [{ stream_id, ...subscription }] : [],
    ),
    groups: [...state.groups.values()]
      .filter(({ is_system_group }) => !is_system_group)
      .map((group) => ({ ...group, members: [...group.members] })),
    folders: state.folders.values(),
    emoji: Object.values(state.emoji),
    topics: [...state.topicPolicies].flatMap(([stream_id, topics]) =>
      Array.from(topics.values(), ({ topic, policy, lastUpdated }) => ({
        stream_id,
        topic_name: topic,
        visibility_policy: policy,
        last_updated: lastUpdated,
      })),
    ),
    organization: comparedOrganization(state.organization),
    settings: comparedSettings(state.settings),
  }
}

async function sha256(text: string): Promise<string> {
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text))
  return Array.from(new Uint8Array(digest), (byte) => byte.toString(16).padStart(2, '0')).join('')
}
