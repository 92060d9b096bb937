/** The workspace that a Slack export is of, and who is of another company: such people take part in shared channels (Slack Connect). */
import { parseJson } from '../../core/json.ts'
import { Payload } from '../../integrations/payload.ts'
import type { Known } from '../known.ts'

/** The workspace, and the organization of workspaces that it is part of. Both are '' where the export does not say. */
export interface Workspace {
  readonly team: string
  readonly enterprise: string
}

type Rank = 'primary' | 'owner' | 'person'

const RANKS: readonly Rank[] = ['primary', 'owner', 'person']

/** Counts the people of users.json by workspace. That of the owner is the export's; else the one that most people are of. */
export class TeamCount {
  private readonly teams = new Map<string, Record<Rank, number>>()
  private readonly enterprises = new Map<string, string>()

  take(user: Payload): void {
    const team = teamOf(user)
    if (team === '' || user.isTrue('is_stranger')) return
    const counts = this.teams.get(team) ?? { primary: 0, owner: 0, person: 0 }
    this.teams.set(team, counts)
    counts.person += 1
    if (user.isTrue('is_owner') || user.isTrue('is_primary_owner')) counts.owner += 1
    if (user.isTrue('is_primary_owner')) counts.primary += 1
    const enterprise = user.text('enterprise_user', 'enterprise_id')
    if (enterprise !== '' && !this.enterprises.has(team)) this.enterprises.set(team, enterprise.slice(0, 100))
  }

  get workspace(): Workspace {
    const all = [...this.teams]
    const rank = RANKS.find((one) => all.some(([, counts]) => counts[one] > 0)) ?? 'person'
    const [team = ''] =
      all
        .filter(([, counts]) => counts[rank] > 0)
        .sort(([, one], [, other]) => other.person - one.person)[0] ?? []
    return { team, enterprise: this.enterprises.get(team) ?? '' }
  }
}

function teamOf(user: Payload): string {
  return (user.text('team_id') || user.text('profile', 'team')).slice(0, 100)
}

export async function putWorkspace(workspace: Workspace, known: Known): Promise<void> {
  await known.put('realm', 'workspace', JSON.stringify(workspace))
}

/** Whether a user is of another company than the workspace. */
export async function isOfOthers(user: Payload, known: Known): Promise<boolean> {
  if (user.isTrue('is_stranger')) return true
  const stored = new Payload(parseJson((await known.get('realm', 'workspace')) ?? '{}'))
  const [own, enterprise, team] = [stored.text('team'), stored.text('enterprise'), teamOf(user)]
  if (own === '' || team === '' || team === own) return false
  if (user.list('enterprise_user', 'teams').some((one) => one.text() === own)) return false
  return (
    enterprise === '' || (team !== enterprise && user.text('enterprise_user', 'enterprise_id') !== enterprise)
  )
}
