import { saveOrganization } from '../../actions/organization.ts'
import { state, watch } from '../../chat.ts'
import { mayChangeOrganization } from '../../state/organization-permissions.ts'
import { s } from '../../texts/settings.ts'
import { durationName } from '../../ui/duration.ts'
import { ChoiceRow, Part, SwitchRow } from '../../ui/setting-row.tsx'
import { refusalOf } from '../settings/fetched.tsx'
import { FOR_EVER, RetentionRow } from '../settings/retention-row.tsx'
import { CallsAndCode } from './calls-and-code.tsx'
import { NoticeChannel } from './notice-channel.tsx'

/** Time limits to choose from, in seconds; null: no limit. */
const LIMITS = [null, 120, 600, 3_600, 86_400, 604_800] as const

/** Percent of the usual size. */
const PREVIEW_SIZES = [100, 150, 200] as const

const LIMITED = [
  'message_content_edit_limit_seconds',
  'message_content_delete_limit_seconds',
  'move_messages_within_stream_limit_seconds',
  'move_messages_between_streams_limit_seconds',
] as const

const SWITCHES = [
  'send_channel_events_messages',
  'inline_image_preview',
  'inline_url_embed_preview',
  'enable_read_receipts',
  'presence_disabled',
  'enable_guest_user_indicator',
  'enable_guest_user_dm_warning',
] as const

const MAIL_SWITCHES = [
  'message_content_allowed_in_email_notifications',
  'send_welcome_emails',
  'digest_emails_enabled',
] as const

/** Ratings of GIFs by their numbers: none, then Y, G, PG, PG-13 and R. */
const GIF_RATINGS = [0, 1, 2, 3, 4, 5] as const

/** Settings of the actions on messages, and their time limits. */
export function OrganizationMessagesSection() {
  watch('organization', 'channel', 'me')
  const { organization } = state
  return (
    <>
      <Part title={s.organization.editing}>
        <Switch name="allow_message_editing" />
        {LIMITED.map((name) => (
          <ChoiceRow
            key={name}
            label={s.organization.names[name]}
            value={organization[name]}
            choices={limitsWith(organization[name])}
            disabled={!mayChangeOrganization(state, name)}
            onSave={(value) => refusalOf(saveOrganization(name, value ?? 'unlimited'))}
          />
        ))}
        <ChoiceRow
          label={s.organization.names.message_edit_history_visibility_policy}
          value={organization.message_edit_history_visibility_policy}
          choices={(['all', 'moves', 'none'] as const).map(
            (value) => [value, s.organization.histories[value]] as const,
          )}
          onSave={(value) => refusalOf(saveOrganization('message_edit_history_visibility_policy', value))}
        />
        <ChoiceRow
          label={s.channels.topics}
          value={organization.topics_policy}
          choices={(['allow_empty_topic', 'disable_empty_topic'] as const).map(
            (value) => [value, s.channels.topicsPolicies[value]] as const,
          )}
          onSave={(value) => refusalOf(saveOrganization('topics_policy', value))}
        />
        <Retention />
      </Part>
      <Part title={s.organization.showing}>
        {SWITCHES.map((name) => (
          <Switch key={name} name={name} />
        ))}
        <ChoiceRow
          label={s.organization.names.media_preview_size}
          value={organization.media_preview_size}
          choices={PREVIEW_SIZES.map((size) => [size, s.organization.previewSizes[size]] as const)}
          disabled={!mayChangeOrganization(state, 'media_preview_size')}
          onSave={(size) => refusalOf(saveOrganization('media_preview_size', size))}
        />
        <GifRating />
      </Part>
      <CallsAndCode />
      <Part title={s.organization.mail}>
        {MAIL_SWITCHES.map((name) => (
          <Switch key={name} name={name} />
        ))}
        <Switch name="require_e2ee_push_notifications" hint={s.organization.encryptedHint} />
        <ChoiceRow
          label={s.organization.names.digest_weekday}
          value={organization.digest_weekday}
          choices={s.organization.weekdays.map((name, day) => [day, name] as const)}
          disabled={!mayChangeOrganization(state, 'digest_weekday')}
          onSave={(day) => refusalOf(saveOrganization('digest_weekday', day))}
        />
      </Part>
      <Part title={s.organization.notices}>
        <NoticeChannel name="new_stream_announcements_stream_id" />
        <NoticeChannel name="signup_announcements_stream_id" />
        <NoticeChannel name="moderation_request_channel_id" isPrivate />
      </Part>
    </>
  )
}

/** Returns the choices, including a value that another client has set. */
function limitsWith(value: number | null): readonly (readonly [number | null, string])[] {
  const known = LIMITS.map((limit) => [limit as number | null, s.organization.limits[limit ?? 0]] as const)
  if (known.some(([limit]) => limit === value)) return known
  return [...known, [value, durationName(value ?? 0)]]
}

/** How long messages are kept where their channel has no time of its own. */
function Retention() {
  return (
    <RetentionRow
      value={state.organization.message_retention_days}
      mayChange={mayChangeOrganization(state, 'message_retention_days')}
      onSave={(days) =>
        refusalOf(saveOrganization('message_retention_days', days === FOR_EVER ? 'unlimited' : days))
      }
    />
  )
}

/** The highest rating of the GIFs that are offered, where the server has a provider of them. */
function GifRating() {
  const { organization, server } = state
  const hasProvider = Boolean(server.giphy_api_key || server.tenor_api_key)
  return (
    <ChoiceRow
      label={s.organization.names.gif_rating_policy}
      hint={hasProvider ? undefined : s.organization.noGifs}
      value={organization.gif_rating_policy}
      choices={GIF_RATINGS.map((rating) => [rating as number, s.organization.gifRatings[rating]] as const)}
      disabled={!hasProvider || !mayChangeOrganization(state, 'gif_rating_policy')}
      onSave={(rating) => refusalOf(saveOrganization('gif_rating_policy', rating))}
    />
  )
}

type SwitchName =
  | 'allow_message_editing'
  | 'require_e2ee_push_notifications'
  | (typeof SWITCHES)[number]
  | (typeof MAIL_SWITCHES)[number]

function Switch({ name, hint }: { readonly name: SwitchName; readonly hint?: string }) {
  return (
    <SwitchRow
      label={s.organization.switches[name]}
      hint={hint}
      value={state.organization[name] === true}
      disabled={!mayChangeOrganization(state, name)}
      onSave={(value) => refusalOf(saveOrganization(name, value))}
    />
  )
}
