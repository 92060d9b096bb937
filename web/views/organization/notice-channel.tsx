import { saveOrganization } from '../../actions/organization.ts'
import { state } from '../../chat.ts'
import { mayCreateChannel } from '../../state/channel-permissions.ts'
import { mayChangeOrganization } from '../../state/organization-permissions.ts'
import { s } from '../../texts/settings.ts'
import { t } from '../../texts/texts.ts'
import { ChoiceRow } from '../../ui/setting-row.tsx'
import { refusalOf } from '../settings/fetched.tsx'
import { channelName } from '../words.ts'

export const NO_CHANNEL = -1

interface NoticeChannelProps {
  readonly name:
    | 'new_stream_announcements_stream_id'
    | 'signup_announcements_stream_id'
    | 'moderation_request_channel_id'
  readonly isPrivate?: boolean
}

/** The channel to which the server itself posts about something. */
export function NoticeChannel({ name, isPrivate = false }: NoticeChannelProps) {
  const chosen = state.organization[name] as number
  const channels = [...state.channels.values()]
    .filter(({ is_archived, invite_only }) => !is_archived && (!isPrivate || invite_only))
    .sort((a, b) => a.name.localeCompare(b.name))
    .map(({ stream_id }) => stream_id)
  // It may have been archived since it was chosen, or be hidden from the user.
  const offered = new Set([...channels, ...(chosen === NO_CHANNEL ? [] : [chosen])])
  return (
    <>
      <ChoiceRow
        label={s.organization.names[name]}
        value={chosen}
        choices={[
          [NO_CHANNEL, s.organization.nowhere],
          ...[...offered].map((id) => [id, `#${channelName(id)}`] as const),
        ]}
        disabled={!mayChangeOrganization(state, name)}
        onSave={(id) => refusalOf(saveOrganization(name, id))}
      />
      {offered.size === 0 && mayCreateChannel(state, isPrivate ? 'private' : 'public') && (
        <p>
          <a class="button" href="#channels/new">
            {t.channels.create}
          </a>
        </p>
      )}
    </>
  )
}
