import { describe, expect, it } from 'vitest'
import type { ParameterValue } from '../../support/api.ts'
import { buildChannel, buildUser, expectSuccess } from '../../support/factories.ts'
import { openQueue } from '../../support/queues.ts'
import { useRealmPerTest } from '../../support/use-realm.ts'
import { world } from '../../support/world.ts'

const { realm, admin, member } = useRealmPerTest({ admin: 'administrator', member: 'member' })

const change = (params: Record<string, ParameterValue | undefined>, user = realm.owner) =>
  user.api.patch('/realm', params)

describe('changing properties', () => {
  it('takes the sizes of previews, and the people of the workplace', async () => {
    const queue = await openQueue(member, { event_types: ['realm'] })
    expect(expectSuccess(await change({ media_preview_size: 150 }, admin))).toMatchObject({
      media_preview_size: 150,
    })
    const workplace = { direct_members: [admin.id], direct_subgroups: [] }
    const asAdmin = await change({ workplace_users_group: { new: workplace } }, admin)
    expect(asAdmin.body.msg).toBe('Must be an organization owner')
    expectSuccess(await change({ workplace_users_group: { new: workplace } }))
    expect(await queue.events()).toMatchObject([
      { op: 'update', property: 'media_preview_size', value: 150 },
      { op: 'update_dict', data: { workplace_users_group: workplace } },
    ])
    expect((await change({ media_preview_size: 120 }, admin)).body.msg).toBe('Invalid media_preview_size')
    expect((await change({ media_preview_size: 200 }, member)).body.code).toBe('UNAUTHORIZED_PRINCIPAL')
    expect((await change({ default_avatar_source: 'J' }, admin)).body.msg).toBe(
      'Invalid default_avatar_source',
    )
    expectSuccess(await change({ default_avatar_source: 'G' }, admin))
    const { snapshot } = await openQueue(member)
    expect(snapshot).toMatchObject({
      realm_media_preview_size: 150,
      realm_workplace_users_group: workplace,
    })
    expect(snapshot.server_supported_permission_settings.realm.workplace_users_group).toMatchObject({
      default_group_name: 'role:everyone',
      allow_everyone_group: true,
    })
  })

  it('returns them, and notifies everybody with the right event for each', async () => {
    const guest = await buildUser(realm, { role: 600 })
    const queues = [await openQueue(admin), await openQueue(guest)]
    const answer = expectSuccess(
      await change({
        name: 'Mosses',
        description: 'For *mosses*.',
        require_unique_names: true,
        message_content_edit_limit_seconds: 'unlimited',
        allow_message_editing: false,
        topics_policy: 'disable_empty_topic',
      }),
    )
    expect(answer).toMatchObject({
      name: 'updated',
      description: 'updated',
      require_unique_names: true,
      message_content_edit_limit_seconds: null,
      allow_message_editing: false,
      topics_policy: 'updated',
    })
    for (const queue of queues) {
      const events = await queue.eventsOf('realm')
      expect(events).toMatchObject([
        { op: 'update', property: 'name', value: 'Mosses' },
        {
          op: 'update',
          property: 'description',
          value: 'For *mosses*.',
          rendered_description: '<p>For <em>mosses</em>.</p>',
        },
        { op: 'update', property: 'require_unique_names', value: true },
        { op: 'update_dict', property: 'default', data: { message_content_edit_limit_seconds: null } },
        { op: 'update_dict', property: 'default', data: { allow_message_editing: false } },
        {
          op: 'update_dict',
          property: 'default',
          data: { topics_policy: 'disable_empty_topic', mandatory_topics: true },
        },
      ])
    }
    const { snapshot } = await openQueue(member)
    expect(snapshot).toMatchObject({
      realm_name: 'Mosses',
      realm_allow_message_editing: false,
      realm_message_content_edit_limit_seconds: null,
      realm_mandatory_topics: true,
    })
    const settings = expectSuccess(await realm.anonymous.get('/server_settings'))
    expect(settings).toMatchObject({
      realm_name: 'Mosses',
      realm_description: '<p>For <em>mosses</em>.</p>',
    })
  })

  it('emits nothing for values that stay the same', async () => {
    const queue = await openQueue(admin)
    expect(expectSuccess(await change({ invite_required: true, digest_weekday: 1 }))).toEqual({
      result: 'success',
      msg: '',
    })
    expect(await queue.events()).toEqual([])
  })

  it('takes effect at once', async () => {
    expectSuccess(await change({ require_unique_names: true }))
    const account = { email: 'twin@example.com', full_name: member.fullName, password: 'a fine password' }
    expect((await realm.owner.api.post('/users', account)).body.msg).toBe(
      'Unique names required in this organization.',
    )
  })

  it('accepts time limits in seconds or as “unlimited”, and never zero', async () => {
    expectSuccess(await change({ message_content_delete_limit_seconds: 30 }))
    expectSuccess(await change({ message_content_delete_limit_seconds: '"unlimited"' }))
    expect((await change({ message_content_delete_limit_seconds: 0 })).body).toMatchObject({
      code: 'REQUEST_VARIABLE_INVALID',
      msg: "Bad value for 'message_content_delete_limit_seconds': 0",
    })
  })

  it('refuses with each property’s own message, and then changes nothing', async () => {
    const queue = await openQueue(admin)
    for (const [params, msg] of [
      [{ name: '  ' }, 'name cannot be blank'],
      [{ name: 'x'.repeat(41) }, 'name is too long (limit: 40 characters)'],
      [{ description: 'x'.repeat(1001) }, 'description is too long (limit: 1000 characters)'],
      [{ default_language: 'xx-nothing' }, "Invalid language 'xx-nothing'"],
      [{ video_chat_provider: 7 }, 'Invalid video_chat_provider 7'],
      [{ giphy_rating: 9 }, 'Invalid giphy_rating 9'],
      [{ topics_policy: 'some_day' }, 'Invalid topics_policy'],
      [
        { message_edit_history_visibility_policy: 'some_day' },
        'Invalid message_edit_history_visibility_policy',
      ],
      [{ require_unique_names: 'yes' }, 'require_unique_names is not valid JSON'],
      [{ require_unique_names: 1 }, 'require_unique_names is not a boolean'],
      [{ authentication_methods: { Email: false } }, 'At least one authentication method must be enabled.'],
      [{ new_stream_announcements_stream_id: 99_999 }, 'Invalid channel ID'],
      [{ require_unique_names: true, giphy_rating: 9 }, 'Invalid giphy_rating 9'],
    ] as const) {
      expect((await change(params)).body).toMatchObject({ code: 'BAD_REQUEST', msg })
    }
    expect(await queue.events()).toEqual([])
  })

  it('accepts the updates channel under two names, and emits both', async () => {
    const { id } = await buildChannel([realm.owner])
    const queue = await openQueue(member)
    for (const [name, value] of [
      ['svc_update_announcements_stream_id', id],
      ['zulip_update_announcements_stream_id', -1],
    ] as const) {
      expect(expectSuccess(await change({ [name]: value }))).toMatchObject({
        zulip_update_announcements_stream_id: value,
      })
      const both = {
        zulip_update_announcements_stream_id: value,
        svc_update_announcements_stream_id: value,
      }
      expect(await queue.events()).toMatchObject([{ type: 'realm', op: 'update_dict', data: both }])
      expect((await openQueue(member)).snapshot).toMatchObject({
        realm_zulip_update_announcements_stream_id: value,
        realm_svc_update_announcements_stream_id: value,
      })
    }
  })

  it('accepts only a private channel for moderation requests', async () => {
    const open = await buildChannel([realm.owner])
    const closed = await buildChannel([realm.owner], { invite_only: true })
    expect((await change({ moderation_request_channel_id: open.id })).body.msg).toBe(
      'Moderation request channel must be private.',
    )
    expect(expectSuccess(await change({ moderation_request_channel_id: closed.id }))).toMatchObject({
      moderation_request_channel_id: closed.id,
    })
    expectSuccess(await change({ moderation_request_channel_id: -1 }))
  })
})

describe('changing permissions', () => {
  it('stores groups and lists, and notifies everybody', async () => {
    const queue = await openQueue(member)
    const answer = expectSuccess(
      await change({
        can_mention_many_users_group: { new: 7 },
        can_create_public_channel_group: { new: { direct_members: [member.id], direct_subgroups: [3] } },
      }),
    )
    const listed = { direct_members: [member.id], direct_subgroups: [3] }
    expect(answer).toMatchObject({
      can_mention_many_users_group: 7,
      can_create_public_channel_group: listed,
    })
    expect(await queue.events()).toMatchObject([
      {
        op: 'update_dict',
        data: { can_create_public_channel_group: listed, create_public_stream_policy: expect.any(Number) },
      },
      { op: 'update_dict', data: { can_mention_many_users_group: 7, wildcard_mention_policy: 1 } },
    ])
    const { snapshot } = await openQueue(member)
    expect(snapshot.realm_can_create_public_channel_group).toEqual(listed)
    expect(snapshot.realm_wildcard_mention_policy).toBe(1)
  })

  it('checks the old value if it is given', async () => {
    expect((await change({ can_create_groups: { new: 3, old: 7 } })).body).toMatchObject({
      code: 'EXPECTATION_MISMATCH',
      msg: "'old' value does not match the expected value.",
    })
    expectSuccess(await change({ can_create_groups: { new: 3, old: 6 } }))
  })

  it('refuses values that the setting cannot have', async () => {
    for (const [params, code, msg] of [
      [
        { can_create_groups: { new: 7 } },
        'BAD_REQUEST',
        "'can_create_groups' setting cannot be set to 'role:everyone' group.",
      ],
      [
        { can_manage_all_groups: { new: 1 } },
        'BAD_REQUEST',
        "'can_manage_all_groups' setting cannot be set to 'role:nobody' group.",
      ],
      [{ can_create_groups: { new: 99_999 } }, 'BAD_REQUEST', 'Invalid user group'],
      [
        { can_access_all_users_group: { new: { direct_members: [member.id], direct_subgroups: [] } } },
        'SYSTEM_GROUP_REQUIRED',
        "'can_access_all_users_group' must be a system user group.",
      ],
    ] as const) {
      expect((await change(params)).body).toMatchObject({ code, msg })
    }
  })

  it('takes effect at once', async () => {
    expectSuccess(await change({ can_create_private_channel_group: { new: 3 } }))
    const { snapshot } = await openQueue(member)
    expect(snapshot.can_create_private_streams).toBe(false)
  })
})

describe('what follows from a change', () => {
  it('makes members full members by the age of their account', async () => {
    const queue = await openQueue(member)
    expectSuccess(await change({ waiting_period_threshold: 3 }))
    const [left] = await queue.eventsOf('user_group')
    expect(left).toMatchObject({ op: 'remove_members', group_id: 5, user_ids: [member.id] })
    world.clockOffset = 4 * 86_400
    const full = (snapshot: { realm_user_groups: { id: number; members: number[] }[] }) =>
      snapshot.realm_user_groups.find(({ id }) => id === 5)!.members
    expect(full((await openQueue(admin)).snapshot)).toContain(member.id)
    world.clockOffset = 0
    expect(full((await openQueue(admin)).snapshot)).not.toContain(member.id)
    const after = await openQueue(admin)
    expectSuccess(await change({ waiting_period_threshold: 0 }))
    expect(await after.eventsOf('user_group')).toMatchObject([
      { op: 'add_members', group_id: 5, user_ids: [member.id] },
    ])
  })

  it('hides people from guests, and shows them again', async () => {
    const guest = await buildUser(realm, { role: 600 })
    const known = await buildUser(realm)
    await buildChannel([realm.owner, guest, known], { invite_only: true })
    expectSuccess(
      await guest.api.delete('/users/me/subscriptions', { subscriptions: ['general', 'sandbox', 'Parley'] }),
    )
    const queue = await openQueue(guest)
    expectSuccess(await change({ can_access_all_users_group: { new: 6 } }))
    const gone = await queue.eventsOf('realm_user', 'remove')
    expect(gone.map(({ person }) => person)).toEqual(
      [admin, member].map(({ id }) => ({ user_id: id, full_name: 'Unknown user' })),
    )
    expect((await guest.api.get(`/users/${member.id}`)).body.msg).toBe('Insufficient permission')
    expectSuccess(await guest.api.get(`/users/${known.id}`))

    const ids = (users: { user_id: number }[]) => users.map(({ user_id }) => user_id)
    const { snapshot } = await openQueue(guest)
    expect(ids(snapshot.realm_users)).toEqual([realm.owner.id, guest.id, known.id])
    const { snapshot: old } = await openQueue(guest, {
      client_capabilities: { notification_settings_null: true, user_list_incomplete: false },
    })
    const placeholder = old.realm_users.find((user: { user_id: number }) => user.user_id === member.id)
    expect(placeholder).toMatchObject({
      full_name: 'Unknown user',
      email: `user${member.id}@${realm.host}`,
      delivery_email: null,
    })

    await queue.events()
    const added = expectSuccess(
      await realm.owner.api.post('/users', {
        email: 'unseen@example.com',
        full_name: 'Una Unseen',
        password: 'a fine password',
      }),
    )
    expect(await queue.eventsOf('realm_user')).toEqual([])
    expectSuccess(await change({ can_access_all_users_group: { new: 7 } }))
    const back = await queue.eventsOf('realm_user', 'add')
    expect(back.map(({ person }) => person.user_id)).toEqual([admin.id, member.id, added.user_id])
  })
})

describe('who may change the organization', () => {
  it('are administrators, and for some properties owners', async () => {
    const moderator = await buildUser(realm, { role: 300 })
    const guest = await buildUser(realm, { role: 600 })
    for (const user of [member, moderator, guest]) {
      expect((await change({ name: 5 }, user)).body).toMatchObject({
        code: 'UNAUTHORIZED_PRINCIPAL',
        msg: 'Must be an organization administrator',
      })
    }
    expect((await realm.anonymous.patch('/realm', { name: 'x' })).status).toBe(401)
    expectSuccess(await change({ name: 'Lichens' }, admin))
    for (const params of [
      { invite_required: false },
      { waiting_period_threshold: 1 },
      { can_invite_users_group: { new: 3 } },
      { can_manage_all_groups: { new: 3 } },
      { message_retention_days: 30 },
    ]) {
      expect((await change(params, admin)).body).toMatchObject({
        code: 'UNAUTHORIZED_PRINCIPAL',
        msg: 'Must be an organization owner',
      })
    }
    expectSuccess(await change({ invite_required: false }))
  })
})
