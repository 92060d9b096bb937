import { ChannelIcon } from '../channel-icon.tsx'
import { CreateFolderForm } from './create-folder-form.tsx'
import './channels.css'
import { useState } from 'preact/hooks'
import {
  addSubscribers,
  archiveChannel,
  changeChannel,
  removeSubscriber,
  saveOwnView,
  setChannelPermission,
} from '../../actions/channel-settings.ts'
import { fetchSubscribers, subscribe } from '../../actions/personal.ts'
import { state, watch } from '../../chat.ts'
import { hrefOf } from '../../navigation.ts'
import { lostByArchiving } from '../../state/archiving.ts'
import {
  mayAddSubscribers,
  mayAdministerChannel,
  mayChangePrivacy,
  mayMakeWebPublic,
  mayRemoveSubscribers,
  maySubscribe,
} from '../../state/channel-permissions.ts'
import { foldersInOrder } from '../../state/channels.ts'
import type { Channel } from '../../state/chat-state.ts'
import { channelNarrow } from '../../state/narrow.ts'
import { isAdministrator, isOwner } from '../../state/own-permissions.ts'
import { alwaysInChannel } from '../../state/permission-values.ts'
import type { PersonalChannelSettings } from '../../state/wire.ts'
import { hasWords, plainName } from '../../state/words.ts'
import { s } from '../../texts/settings.ts'
import { t } from '../../texts/texts.ts'
import { Avatar } from '../../ui/avatar.tsx'
import { Empty, Loading } from '../../ui/empty.tsx'
import { Icon } from '../../ui/icon.tsx'
import { ChoiceRow, Part, SwitchRow, TextRow } from '../../ui/setting-row.tsx'
import { ActButton } from '../../ui/use-action.tsx'
import { announce } from '../announcement.tsx'
import { MarkdownRow } from '../compose/form-fields.ts'
import { HtmlText } from '../message/html-text.tsx'
import { FetchFailed, refusalOf, undoable, useFetched } from '../settings/fetched.tsx'
import { GroupSettingRow, permissionName } from '../settings/group-setting-row.tsx'
import { PickPerson } from '../settings/people-row.tsx'
import { FOR_EVER, RetentionRow } from '../settings/retention-row.tsx'
import { leave, leaveQuestion } from '../undoable.ts'
import { ChannelAddress } from './channel-address.tsx'
import { type ChannelKind, KINDS } from './create-channel.tsx'

const PARTS = ['general', 'personal', 'permissions', 'subscribers'] as const

/** One channel: its facts, the user's own settings, permissions, and subscribers. */
export function ChannelSettingsView({
  channelId,
  part = 'general',
}: {
  readonly channelId: number
  readonly part: string | undefined
}) {
  watch(`channel ${channelId}`, 'me', 'organization', 'group', 'folder')
  const channel = state.channels.get(channelId)
  if (!channel) return <Empty title={t.unknownChannel} />
  const parts = PARTS.filter((one) => one !== 'personal' || channel.subscription)
  const shown = parts.find((one) => one === part) ?? 'general'
  return (
    <>
      <header class="view-head">
        <a class="icon-button settings-back" href="#channels" aria-label={t.sidebar.allChannels}>
          <Icon name="back" />
        </a>
        <ChannelIcon channel={channel} />
        <h1 class="one-line">
          <bdi>{channel.name}</bdi>
        </h1>
        <span class="view-head-space" />
        <a class="button" href={hrefOf(channelNarrow(channelId))}>
          {s.channels.read}
        </a>
      </header>
      <div class="view-scroll">
        <div class="channel-settings">
          <nav class="settings-tabs" aria-label={s.channels.settingsOf(`#${channel.name}`)}>
            {parts.map((one) => (
              <a
                key={one}
                href={`#channels/${channelId}/${encodeURIComponent(channel.name).replaceAll('%', '.')}/${one}`}
                aria-current={one === shown ? 'page' : undefined}
              >
                {s.channels.parts[one]}
              </a>
            ))}
          </nav>
          {shown === 'general' && <General channel={channel} />}
          {shown === 'personal' && channel.subscription && (
            <Personal channelId={channelId} own={channel.subscription} />
          )}
          {shown === 'permissions' && <Permissions channel={channel} />}
          {shown === 'subscribers' && <Subscribers channel={channel} />}
        </div>
      </div>
    </>
  )
}

function kindOf(channel: Channel): ChannelKind {
  if (channel.is_web_public) return 'web-public'
  if (!channel.invite_only) return 'public'
  return channel.history_public_to_subscribers ? 'private' : 'protected'
}

/** The higher, the more people can read what was written before. */
const OPENNESS: Readonly<Record<ChannelKind, number>> = {
  protected: 0,
  private: 1,
  public: 2,
  'web-public': 3,
}

function privacyOf(kind: ChannelKind): object {
  return {
    is_private: kind === 'private' || kind === 'protected',
    is_web_public: kind === 'web-public',
    history_public_to_subscribers: kind !== 'protected',
  }
}

function retentionParameter(days: number | null): number | string {
  if (days === null) return 'realm_default'
  return days === FOR_EVER ? 'unlimited' : days
}

function General({ channel }: { readonly channel: Channel }) {
  const { stream_id, name, description, is_archived, folder_id } = channel
  const mayAdminister = mayAdministerChannel(state, channel)
  const change = (changes: object) => refusalOf(changeChannel(stream_id, changes))
  const lost = lostByArchiving(state, channel)
  const archive = async () => {
    await archiveChannel(stream_id)
    const takeBack = () => changeChannel(stream_id, { is_archived: false })
    announce(t.done.archived(name), lost.length === 0 ? takeBack : undefined)
  }
  const kinds = KINDS.filter(
    (kind) => kind !== 'web-public' || mayMakeWebPublic(state) || channel.is_web_public,
  )
  return (
    <>
      <Part>
        {mayAdminister ? (
          <>
            <TextRow
              label={t.channels.name}
              value={name}
              required
              disabled={is_archived}
              maxLength={state.server.max_stream_name_length}
              onSave={(new_name) => change({ new_name: new_name.trim() })}
            />
            <MarkdownRow
              label={t.channels.description}
              value={description}
              disabled={is_archived}
              maxLength={state.server.max_stream_description_length}
              onSave={(text) => change({ description: text })}
            />
            <ChoiceRow
              label={s.channels.privacy}
              value={kindOf(channel)}
              choices={kinds.map((kind) => [kind, s.channels.kinds[kind]] as const)}
              disabled={is_archived || !mayChangePrivacy(state, channel)}
              questionFor={(kind) =>
                OPENNESS[kind] > OPENNESS[kindOf(channel)]
                  ? {
                      title: s.channels.widenQuestion(`#${name}`),
                      text: s.channels.widenHint,
                      button: s.change,
                    }
                  : undefined
              }
              onSave={(kind) => change(privacyOf(kind))}
            />
            <ChoiceRow
              label={s.channels.topics}
              value={channel.topics_policy}
              choices={Object.entries(s.channels.topicsPolicies) as [typeof channel.topics_policy, string][]}
              disabled={is_archived}
              onSave={(topics_policy) => change({ topics_policy })}
            />
            <ChoiceRow
              label={s.channels.folder}
              value={folder_id}
              choices={[
                [null, s.channels.noFolder],
                ...foldersInOrder(state).map((folder) => [folder.id, folder.name] as const),
              ]}
              disabled={is_archived}
              onSave={(id) => change({ folder_id: id })}
            />
            {isAdministrator(state) && !is_archived && (
              <NewFolder onMade={(id) => changeChannel(stream_id, { folder_id: id })} />
            )}
            <RetentionRow
              value={channel.message_retention_days}
              inherited={state.organization.message_retention_days}
              mayChange={isOwner(state)}
              isArchived={is_archived}
              onSave={(days) => change({ message_retention_days: retentionParameter(days) })}
            />
            {isAdministrator(state) && (
              <>
                {!channel.invite_only && (
                  <SwitchRow
                    label={s.channels.isDefault}
                    value={state.defaultChannels.includes(stream_id)}
                    onSave={(isDefault) => change({ is_default_stream: isDefault })}
                  />
                )}
                <SwitchRow
                  label={s.channels.pushesByDefault}
                  hint={s.channels.pushesByDefaultHint}
                  value={channel.default_push_notifications}
                  disabled={is_archived}
                  onSave={(pushes) => change({ default_push_notifications: pushes })}
                />
              </>
            )}
          </>
        ) : (
          <>
            <HtmlText html={channel.rendered_description || s.channels.noDescription} />
            <p class="soft">{s.channels.kinds[kindOf(channel)]}</p>
          </>
        )}
      </Part>
      <Part title={s.channels.membership}>
        <p>
          {channel.subscription ? (
            <ActButton question={leaveQuestion(channel)} onAct={() => refusalOf(leave(channel))}>
              {t.channels.leave}
            </ActButton>
          ) : maySubscribe(state, channel) ? (
            <ActButton kind="main" onAct={() => refusalOf(subscribe(name))}>
              {t.channels.join}
            </ActButton>
          ) : (
            s.channels.mayNotJoin
          )}
        </p>
      </Part>
      <ChannelAddress key={stream_id} channelId={stream_id} />
      {mayAdminister && (
        <Part title={is_archived ? s.channels.archived : s.channels.archive} hint={s.channels.archiveHint}>
          {is_archived ? (
            <ActButton onAct={() => change({ is_archived: false })}>{s.channels.unarchive}</ActButton>
          ) : (
            <ActButton
              kind="danger"
              question={
                lost.length === 0
                  ? undefined
                  : {
                      title: s.channels.archiveQuestion(`#${name}`),
                      text: lost.map((one) => s.channels.lostByArchiving[one]).join(' '),
                    }
              }
              onAct={() => refusalOf(archive())}
            >
              {s.channels.archive}
            </ActButton>
          )}
        </Part>
      )}
    </>
  )
}

/** A form for a folder, once it is wanted: in most channels, none is. */
function NewFolder({ onMade }: { readonly onMade: (folderId: number) => Promise<unknown> }) {
  const [isOpen, setOpen] = useState(false)
  return (
    <div class="setting-below">
      {isOpen ? (
        <CreateFolderForm
          onMade={async (id) => {
            await onMade(id)
            setOpen(false)
          }}
        />
      ) : (
        <button type="button" class="setting-more" onClick={() => setOpen(true)}>
          {s.channels.newFolder}
        </button>
      )}
    </div>
  )
}

const NOTIFIED = [
  'desktop_notifications',
  'audible_notifications',
  'push_notifications',
  'email_notifications',
  'wildcard_mentions_notify',
] as const

function Personal({ channelId, own }: { readonly channelId: number; readonly own: PersonalChannelSettings }) {
  const save = (property: string) => (value: unknown) => refusalOf(saveOwnView(channelId, property, value))
  return (
    <>
      <Part>
        <TextRow label={s.channels.color} type="color" value={own.color} onSave={save('color')} />
        <SwitchRow label={s.channels.muted} value={own.is_muted} onSave={save('is_muted')} />
        <SwitchRow label={s.channels.pinned} value={own.pin_to_top} onSave={save('pin_to_top')} />
      </Part>
      <Part title={s.titles.notifications}>
        {NOTIFIED.map((name) => (
          <ChoiceRow
            key={name}
            label={s.channels.notified[name]}
            value={own[name]}
            choices={[
              ...(own[name] === null ? [[null, s.channels.asElsewhere] as const] : []),
              [true, s.channels.on],
              [false, s.channels.off],
            ]}
            onSave={save(name)}
          />
        ))}
      </Part>
    </>
  )
}

const PERMISSIONS = [
  'can_send_message_group',
  'can_create_topic_group',
  'can_subscribe_group',
  'can_add_subscribers_group',
  'can_remove_subscribers_group',
  'can_resolve_topics_group',
  'can_move_messages_within_channel_group',
  'can_move_messages_out_of_channel_group',
  'can_delete_own_message_group',
  'can_delete_any_message_group',
  'can_administer_channel_group',
] as const

/** Settings that give the right to read, which an administrator outside a private channel cannot give. */
const GIVE_CONTENT: ReadonlySet<string> = new Set(['can_subscribe_group', 'can_add_subscribers_group'])

function Permissions({ channel }: { readonly channel: Channel }) {
  const { stream_id, is_archived } = channel
  const mayAdminister = mayAdministerChannel(state, channel)
  return (
    <Part hint={s.channels.permissionsHint}>
      {mayAdminister ? (
        PERMISSIONS.map((name) => (
          <GroupSettingRow
            key={name}
            level="stream"
            name={name}
            label={s.channels.permissions[name]}
            value={channel[name]}
            always={alwaysInChannel(state, channel, name)}
            disabled={is_archived || (GIVE_CONTENT.has(name) && !mayChangePrivacy(state, channel))}
            onSave={(value) => refusalOf(setChannelPermission(stream_id, name, value))}
          />
        ))
      ) : (
        <dl class="settings-facts">
          {PERMISSIONS.map((name) => (
            <div key={name}>
              <dt>{s.channels.permissions[name]}</dt>
              <dd>{permissionName(channel[name], alwaysInChannel(state, channel, name))}</dd>
            </div>
          ))}
        </dl>
      )}
    </Part>
  )
}

/** Number of rows of people; a filter finds the others. */
const SHOWN_SUBSCRIBERS = 200

function Subscribers({ channel }: { readonly channel: Channel }) {
  const { stream_id, name, subscribers } = channel
  watch('user', `channel ${stream_id}`, 'me', 'group', 'organization')
  const [words, setWords] = useState('')
  const [refusal, setRefusal] = useState<string>()
  const isKnown = subscribers !== undefined
  const fetched = useFetched(async () => {
    if (!isKnown) await fetchSubscribers(stream_id)
  }, [stream_id, isKnown])
  const mayRemove = mayRemoveSubscribers(state, channel)
  const people = [...(subscribers ?? [])]
    .map((id) => state.users.get(id))
    .filter((user) => user !== undefined)
    .filter((user) => hasWords(plainName(user), words))
    .sort((a, b) => a.full_name.localeCompare(b.full_name))
  return (
    <>
      {mayAddSubscribers(state, channel) && (
        <Part title={s.channels.addPeople}>
          <PickPerson
            label={t.people.filter}
            button={s.add}
            isLeftOut={({ user_id }) => subscribers?.has(user_id) ?? false}
            onPick={async (id) => setRefusal(await refusalOf(addSubscribers(name, [id])))}
          />
          {refusal && (
            <p class="refusal" role="alert">
              {refusal}
            </p>
          )}
        </Part>
      )}
      <Part title={t.channels.subscribers(channel.subscriber_count)}>
        {!isKnown ? (
          fetched.refusal === undefined ? (
            <Loading label={t.loading} />
          ) : (
            <FetchFailed of={fetched} />
          )
        ) : (
          <>
            <input
              class="field"
              type="search"
              aria-label={t.inbox.filter}
              placeholder={t.inbox.filter}
              value={words}
              onInput={(event) => setWords(event.currentTarget.value)}
            />
            {people.length === 0 && <p class="setting-nothing">{s.channels.nobodyThere}</p>}
            <ul class="items spaced">
              {people.slice(0, SHOWN_SUBSCRIBERS).map((user) => (
                <li key={user.user_id} class="item">
                  <Avatar url={user.avatar_url} name={user.full_name} size={24} />
                  <span class="item-main one-line">
                    {user.full_name} <span class="soft">{t.roles[user.role]}</span>
                  </span>
                  {(mayRemove || user.bot_owner_id === state.me) && (
                    <ActButton
                      label={s.remove(user.full_name)}
                      onAct={() =>
                        undoable(removeSubscriber(name, user.user_id), s.removed(user.full_name), () =>
                          addSubscribers(name, [user.user_id]),
                        )
                      }
                    >
                      {s.removeShort}
                    </ActButton>
                  )}
                </li>
              ))}
            </ul>
            {people.length > SHOWN_SUBSCRIBERS && (
              <p class="setting-nothing">{s.channels.moreByFilter(people.length - SHOWN_SUBSCRIBERS)}</p>
            )}
          </>
        )}
      </Part>
    </>
  )
}
