import { saveOrganization, setOrganizationPermission } from '../../actions/organization.ts'
import { state, watch } from '../../chat.ts'
import { mayChangeOrganization } from '../../state/organization-permissions.ts'
import type { GroupSettingValue } from '../../state/wire.ts'
import { s } from '../../texts/settings.ts'
import { ChoiceRow, Part, SwitchRow, TextRow } from '../../ui/setting-row.tsx'
import { refusalOf } from '../settings/fetched.tsx'
import { GroupSettingRow } from '../settings/group-setting-row.tsx'
import { Domains } from './domains.tsx'

const PARTS = {
  joining: ['can_invite_users_group', 'create_multiuse_invite_group'],
  channels: [
    'can_create_public_channel_group',
    'can_create_private_channel_group',
    'can_create_web_public_channel_group',
    'can_add_subscribers_group',
    'can_mention_many_users_group',
  ],
  messages: [
    'can_move_messages_between_topics_group',
    'can_move_messages_between_channels_group',
    'can_resolve_topics_group',
    'can_delete_own_message_group',
    'can_delete_any_message_group',
    'can_set_topics_policy_group',
    'can_set_delete_message_policy_group',
  ],
  direct: ['direct_message_initiator_group', 'direct_message_permission_group'],
  people: [
    'can_access_all_users_group',
    'can_create_groups',
    'can_manage_all_groups',
    'can_create_bots_group',
    'can_create_write_only_bots_group',
    'can_add_custom_emoji_group',
  ],
} as const

const JOINING = [
  'invite_required',
  'emails_restricted_to_domains',
  'disallow_disposable_email_addresses',
] as const
const FIXED = [
  'require_unique_names',
  'name_changes_disabled',
  'email_changes_disabled',
  'avatar_changes_disabled',
] as const

/** Settings of who may join, and who may do what. */
export function OrganizationPermissionsSection() {
  watch('organization', 'me', 'group')
  return (
    <>
      <Part title={s.organization.parts.joining}>
        <Switches names={JOINING} />
        <Grants names={PARTS.joining} />
        <TextRow
          label={s.organization.names.waiting_period_threshold}
          hint={s.organization.waitingHint}
          type="number"
          min={0}
          value={String(state.organization.waiting_period_threshold)}
          required
          disabled={!mayChangeOrganization(state, 'waiting_period_threshold')}
          onSave={(days) => refusalOf(saveOrganization('waiting_period_threshold', Number(days)))}
        />
      </Part>
      <Domains />
      <SecondFactorPolicy />
      {(['channels', 'messages', 'direct', 'people'] as const).map((part) => (
        <Part key={part} title={s.organization.parts[part]}>
          <Grants names={PARTS[part]} />
          {part === 'channels' && <SpectatorAccess />}
          {part === 'people' && <Switches names={FIXED} />}
        </Part>
      ))}
    </>
  )
}

/** Whether channels that are open to the web can be read by everybody, where the server allows them. */
function SpectatorAccess() {
  const isPossible = state.server.server_web_public_streams_enabled
  return (
    <SwitchRow
      label={s.organization.switches.enable_spectator_access}
      hint={isPossible ? undefined : s.organization.noWebPublic}
      value={state.organization.enable_spectator_access}
      disabled={!isPossible || !mayChangeOrganization(state, 'enable_spectator_access')}
      onSave={(value) => refusalOf(saveOrganization('enable_spectator_access', value))}
    />
  )
}

const WHO_NEEDS_TWO_STEPS = ['nobody', 'owners', 'administrators', 'everybody'] as const

function SecondFactorPolicy() {
  return (
    <Part title={s.security.twoStep}>
      <ChoiceRow
        label={s.security.policy}
        hint={s.security.policyHint}
        value={state.organization.second_factor_required_for}
        choices={WHO_NEEDS_TWO_STEPS.map((who) => [who as unknown, s.security.policies[who]] as const)}
        disabled={!mayChangeOrganization(state, 'second_factor_required_for')}
        onSave={(who) => refusalOf(saveOrganization('second_factor_required_for', who))}
      />
    </Part>
  )
}

type Permission = (typeof PARTS)[keyof typeof PARTS][number]

function Grants({ names }: { readonly names: readonly Permission[] }) {
  return (
    <>
      {names.map((name) => (
        <GroupSettingRow
          key={name}
          level="realm"
          name={name}
          label={s.organization.permissions[name]}
          value={state.organization[name] as GroupSettingValue | undefined}
          disabled={!mayChangeOrganization(state, name)}
          onSave={(value) => refusalOf(setOrganizationPermission(name, value))}
        />
      ))}
    </>
  )
}

type SwitchName = (typeof JOINING)[number] | (typeof FIXED)[number]

function Switches({ names }: { readonly names: readonly SwitchName[] }) {
  return (
    <>
      {names.map((name) => (
        <SwitchRow
          key={name}
          label={s.organization.switches[name]}
          value={state.organization[name] === true}
          disabled={!mayChangeOrganization(state, name)}
          onSave={(value) => refusalOf(saveOrganization(name, value))}
        />
      ))}
    </>
  )
}
