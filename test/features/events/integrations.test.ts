import { describe, expect, it } from 'vitest'
import { atLevel, expectSuccess, type TestUser } from '../../support/factories.ts'
import { useRealm } from '../../support/use-realm.ts'

const { ann } = useRealm({ ann: 'member' })

const TYPE = 'realm_incoming_webhook_bots'

const githubFor = async ({ api }: TestUser) => {
  const { [TYPE]: integrations } = expectSuccess(await api.post('/register', { fetch_event_types: [TYPE] }))
  return integrations.find(({ name }: { name: string }) => name === 'github')
}

describe('the integrations of a registration', () => {
  it('have a name, and all events that addresses can filter', async () => {
    const { name, display_name, all_event_types } = await githubFor(ann)
    expect({ name, display_name }).toEqual({ name: 'github', display_name: 'GitHub' })
    expect(all_event_types).toEqual(expect.arrayContaining(['push_commits', 'issues', 'ping']))
  })

  it('have options in the form of the client’s level', async () => {
    const option = {
      key: 'ignore_private_repositories',
      label: 'Exclude notifications from private repositories',
    }
    const older = { ...option, validator: 'check_bool' }
    expect((await githubFor(atLevel(ann, 402))).config_options).toContainEqual(older)
    expect((await githubFor(atLevel(ann, 402))).url_options).toBeUndefined()
    expect((await githubFor(atLevel(ann, 403))).url_options).toContainEqual(older)
    expect((await githubFor(atLevel(ann, 484))).url_options).toContainEqual(older)
    const newer = { ...option, input_type: 'boolean' }
    expect((await githubFor(atLevel(ann, 485))).url_options).toContainEqual(newer)
    expect((await githubFor(ann)).url_options).toContainEqual(newer)
  })
})
