import { describe, expect, it } from 'vitest'
import { readExport, said, slackChannel, slackUser } from './slack-export.ts'

/** Ada owns the workspace T1. Eve, Fay and Gil are of the company T9, with which it shares a channel (Slack Connect). */
const EVE = slackUser('U7', 'Eve Elsewhere', {
  team_id: 'T9',
  profile: { real_name: 'Eve Elsewhere', email: 'eve@elsewhere.example', title: 'CEO' },
})
const OTHERS = [
  EVE,
  slackUser('U8', 'Fay Faraway', { is_stranger: true, profile: { email: 'fay@elsewhere.example' } }),
  slackUser('U9', 'Gil Gone', {
    team_id: '',
    profile: { real_name: 'Gil Gone', team: 'T9' },
    is_admin: true,
  }),
]
const OWN = [
  slackUser('U1', 'Ada Amsel', {
    is_primary_owner: true,
    is_owner: true,
    profile: { email: 'ada@example.com' },
  }),
  slackUser('U2', 'Ben Brandt', { profile: { email: 'ben@example.com' } }),
]
const SHARED = {
  'channels.json': [slackChannel('C1', 'partners', { members: ['U7', 'U8', 'U1'], is_ext_shared: true })],
  'partners/2014-06-12.json': [said('Good day', { user: 'U7', user_team: 'T9' })],
}

describe('People of other companies in a Slack export', () => {
  it('become closed accounts with their names and without an address', async () => {
    const read = await readExport({ 'users.json': [...OTHERS, ...OWN], ...SHARED })
    const people = read
      .of('user')
      .map(({ id, full_name, email, role, deactivated }) => [...[id, full_name, email, role, deactivated]])
    expect(people).toEqual([
      ['U7', 'Eve Elsewhere', null, 'guest', true],
      ['U8', 'fay.faraway', null, 'guest', true],
      ['U9', 'Gil Gone', null, 'guest', true],
      ['U1', 'ada.amsel', 'ada@example.com', 'owner', false],
      ['U2', 'ben.brandt', 'ben@example.com', 'member', false],
    ])
    expect(read.of('message')).toMatchObject([{ sender: 'U7', content: 'Good day' }])
    expect(read.problems()).toEqual({ 'person of another company': 3 })
  })

  it('do not make the workspace another one, which is that of its owner', async () => {
    const source = async (users: object[]) =>
      (await readExport({ 'users.json': users, ...SHARED })).of('parley-import')[0]!.source
    expect(await source([...OTHERS, ...OWN])).toBe('slack:T1')
    // Without an owner it is the one of most people.
    expect(await source([EVE, slackUser('U2', 'Ben'), slackUser('U3', 'Cleo')])).toBe('slack:T1')
    const owners = [
      slackUser('U1', 'Ada', { is_owner: true }),
      EVE,
      { ...EVE, id: 'U5' },
      { ...EVE, id: 'U6' },
    ]
    expect(await source(owners)).toBe('slack:T1')
  })

  it('are not those of other workspaces of the same organization', async () => {
    const of = (team: string, teams: string[] = [], enterprise_id = 'E1') => ({
      ...{ team_id: team, enterprise_user: { enterprise_id, teams } },
    })
    const read = await readExport({
      'users.json': [
        slackUser('U1', 'Ada', { ...of('T1', ['T1']), is_primary_owner: true }),
        slackUser('U2', 'Ben', of('T2', ['T2', 'T1'])),
        slackUser('U3', 'Cleo', of('E1')),
        slackUser('U4', 'Dan', of('E4', [], 'E4')),
      ],
      'org_users.json': [slackUser('U5', 'Eli', { team_id: 'E1' })],
    })
    const closed = read.of('user').filter(({ deactivated }) => deactivated)
    expect(closed.map(({ id }) => id)).toEqual(['U4'])
  })
})
