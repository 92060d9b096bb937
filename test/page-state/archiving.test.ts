import { describe, expect, it } from 'vitest'
import { applyEvents, lostByArchiving } from '../../web/state/index.ts'
import { buildEvent, buildState, buildSubscription, NOW } from './build.ts'

const ID = 5

function buildChannel(facts: object = {}) {
  const state = buildState({ subscriptions: [buildSubscription(ID, { subscriber_count: 2, ...facts })] })
  return { state, lost: () => lostByArchiving(state, state.channels.get(ID)!) }
}

describe('archiving a channel', () => {
  it('loses nothing if nothing names the channel', () => {
    expect(buildChannel().lost()).toEqual([])
    expect(buildChannel({ invite_only: true }).lost()).toEqual([])
    expect(buildChannel({ subscriber_count: 0 }).lost()).toEqual([])
  })

  it('loses what new people join, and what they are offered', () => {
    const { state, lost } = buildChannel()
    const offer = (streams: number[]) =>
      buildEvent('default_stream_groups', {
        default_stream_groups: [{ id: 1, name: 'a', description: '', streams }],
      })
    applyEvents(state, [buildEvent('default_streams', { default_streams: [ID] }), offer([ID])], NOW)
    expect(lost()).toEqual(['joined', 'offered'])
    applyEvents(state, [buildEvent('default_streams', { default_streams: [] }), offer([])], NOW)
    expect(lost()).toEqual([])
  })

  it.each([
    'new_stream_announcements_stream_id',
    'signup_announcements_stream_id',
    'zulip_update_announcements_stream_id',
    'moderation_request_channel_id',
  ] as const)('loses the place in the setting %s', (name) => {
    const { state, lost } = buildChannel()
    state.organization[name] = ID
    expect(lost()).toEqual(['notices'])
  })

  it('cannot be undone if nobody is in a private channel', () => {
    expect(buildChannel({ invite_only: true, subscriber_count: 0 }).lost()).toEqual(['way'])
  })
})
