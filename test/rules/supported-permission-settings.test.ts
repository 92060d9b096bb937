import { expect, test } from 'vitest'
import { serverSupportedPermissionSettings } from '../../src/rules/supported-permission-settings.ts'

const settings = serverSupportedPermissionSettings()

/**
 * One line for each setting: default, everyone, nobody. From docs/interface/permission-settings.md#permission-settings;
 * docs/interface/permission-settings.md#of-a-user-group.
 */
const documented = `
realm can_access_all_users_group role:everyone yes no
realm can_add_custom_emoji_group role:members no yes
realm can_add_subscribers_group role:members no yes
realm can_create_bots_group role:members no yes
realm can_create_write_only_bots_group role:members no yes
realm can_create_groups role:members no yes
realm can_create_public_channel_group role:members no yes
realm can_create_private_channel_group role:members no yes
realm can_create_web_public_channel_group role:owners no yes
realm can_delete_any_message_group role:administrators no yes
realm can_delete_own_message_group role:everyone yes yes
realm can_invite_users_group role:members no yes
realm create_multiuse_invite_group role:administrators no yes
realm can_manage_all_groups role:owners no no
realm can_manage_billing_group role:administrators no no
realm can_mention_many_users_group role:administrators yes yes
realm can_move_messages_between_channels_group role:members no yes
realm can_move_messages_between_topics_group role:everyone yes yes
realm can_resolve_topics_group role:everyone yes yes
realm can_set_topics_policy_group role:members yes yes
realm can_set_delete_message_policy_group role:moderators no yes
realm can_summarize_topics_group role:everyone yes yes
realm direct_message_initiator_group role:everyone yes yes
realm direct_message_permission_group role:everyone yes yes
stream can_add_subscribers_group role:nobody no yes
realm workplace_users_group role:everyone yes yes
stream can_administer_channel_group channel_creator no yes
stream can_create_topic_group role:everyone yes yes
stream can_delete_any_message_group role:nobody yes yes
stream can_delete_own_message_group role:nobody yes yes
stream can_move_messages_out_of_channel_group role:nobody yes yes
stream can_move_messages_within_channel_group role:nobody yes yes
stream can_remove_subscribers_group role:administrators yes yes
stream can_resolve_topics_group role:nobody yes yes
stream can_send_message_group role:everyone yes yes
stream can_subscribe_group role:nobody no yes
group can_add_members_group group_creator no yes
group can_join_group role:nobody no yes
group can_leave_group role:everyone yes yes
group can_manage_group group_creator no yes
group can_mention_group role:everyone yes yes
group can_remove_members_group role:nobody no yes
`
  .trim()
  .split('\n')
  .sort()

test('the three tables list exactly the documented settings', () => {
  const yes = (value: boolean) => (value ? 'yes' : 'no')
  const lines = Object.entries(settings).flatMap(([level, rows]) =>
    Object.entries(rows).map(
      ([name, row]) =>
        `${level} ${name} ${row.default_group_name} ${yes(row.allow_everyone_group)} ${yes(row.allow_nobody_group)}`,
    ),
  )
  expect(lines.sort()).toEqual(documented)
})

test('a row has exactly the seven keys clients read', () => {
  expect(settings.realm.can_create_web_public_channel_group).toEqual({
    require_system_group: true,
    allow_internet_group: false,
    allow_nobody_group: true,
    allow_everyone_group: false,
    default_group_name: 'role:owners',
    default_for_system_groups: null,
    allowed_system_groups: ['role:moderators', 'role:administrators', 'role:owners', 'role:nobody'],
  })
  expect(settings.group.can_mention_group).toEqual({
    require_system_group: false,
    allow_internet_group: false,
    allow_nobody_group: true,
    allow_everyone_group: true,
    default_group_name: 'role:everyone',
    default_for_system_groups: 'role:nobody',
    allowed_system_groups: [],
  })
})
