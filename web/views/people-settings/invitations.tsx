import { useRef, useState } from 'preact/hooks'
import {
  createInviteLink,
  failedAddresses,
  hasInvitedOthers,
  type Invitation,
  type InvitationTerms,
  inviteByMail,
  loadInvitations,
  resendInvitation,
  revokeInvitation,
} from '../../actions/accounts.ts'
import { prove } from '../../actions/prove.ts'
import { state, versionOf, watch } from '../../chat.ts'
import { mayReadChannel } from '../../state/channel-permissions.ts'
import type { Channel } from '../../state/chat-state.ts'
import { addressesIn } from '../../state/entered-addresses.ts'
import { mayAddMembers } from '../../state/group-permissions.ts'
import { mayCreateInviteLink, mayInvite, rolesToInviteAs } from '../../state/people-permissions.ts'
import type { Role } from '../../state/wire.ts'
import { own } from '../../texts/isolate.ts'
import { s } from '../../texts/settings.ts'
import { listed, t } from '../../texts/texts.ts'
import type { Question } from '../../ui/question.tsx'
import { Part } from '../../ui/setting-row.tsx'
import { ago, dateAndTime } from '../../ui/time.tsx'
import { ActButton, ActForm } from '../../ui/use-action.tsx'
import { announce } from '../announcement.tsx'
import { FetchedList, refusalOf, useFetched } from '../settings/fetched.tsx'
import { ShownKey } from '../settings/shown-key.tsx'
import { realName } from '../words.ts'
import { ownerQuestion } from './owner-question.ts'

const ROLE = { member: 400 } as const

/** Minutes after which an invitation ends; null: never. */
const EXPIRIES = [1_440, 4_320, 10_080, 43_200, null] as const

/** Open invitations, and new ones. */
export function InvitationsSection() {
  watch('me', 'organization', 'group')
  const invitations = useFetched(loadInvitations, [versionOf('invitations')])
  const [newLink, setNewLink] = useState('')
  return (
    <>
      {mayInvite(state) && <ByMail onSent={invitations.reload} />}
      {mayCreateInviteLink(state) && (
        <ByLink link={newLink} onLink={setNewLink} open={invitations.value} onMade={invitations.reload} />
      )}
      <Part title={s.invitations.open}>
        <FetchedList of={invitations} nothing={s.invitations.nothing}>
          {(list) => (
            <ul class="items">
              {list.map((invitation) => (
                <InvitationItem
                  key={`${invitation.is_multiuse} ${invitation.id}`}
                  invitation={invitation}
                  isShownAbove={invitation.link_url === newLink}
                  onChange={invitations.reload}
                />
              ))}
            </ul>
          )}
        </FetchedList>
      </Part>
    </>
  )
}

function InvitationItem({
  invitation,
  isShownAbove,
  onChange,
}: {
  readonly invitation: Invitation
  /** Whether its link has just been made, and is shown beside the button for it. */
  readonly isShownAbove: boolean
  readonly onChange: () => Promise<void>
}) {
  const { email, link_url, invited, expiry_date, invited_as, invited_by_user_id, is_multiuse } = invitation
  const name = email ?? s.invitations.link
  const ends = expiry_date === null ? s.invitations.neverEnds : s.invitations.ends(dateAndTime(expiry_date))
  // Links have no names.
  const told = email ?? [name, t.roles[invited_as], ends].join(', ')
  const then = async (action: Promise<void>) => {
    const refusal = await refusalOf(action)
    if (refusal === undefined) await onChange()
    return refusal
  }
  return (
    <li class="item">
      <span class="item-main">
        {name} <span class="soft">{t.roles[invited_as]}</span>
        <span class="small soft">
          {s.invitations.by({ name: realName(invited_by_user_id), ago: ago(invited) })} · {ends}
        </span>
      </span>
      <span class="item-end">
        {!is_multiuse && (
          <ActButton
            label={`${s.invitations.resend}: ${name}`}
            onAct={() => then(resendInvitation(invitation).then(() => announce(sentTo(name))))}
          >
            {s.invitations.resend}
          </ActButton>
        )}
        <ActButton
          label={`${s.invitations.revoke}: ${told}`}
          question={
            email === undefined
              ? { title: s.invitations.revokeLink, text: s.invitations.revokeLinkHint }
              : { title: s.invitations.revokeQuestion(email), text: s.invitations.revokeHint }
          }
          onAct={() => then(revokeInvitation(invitation))}
        >
          {s.invitations.revoke}
        </ActButton>
      </span>
      {link_url && !isShownAbove && <ShownKey value={link_url} />}
      {link_url === '' && (
        <ActButton
          label={`${s.invitations.showLink}: ${told}`}
          onAct={() => refusalOf(prove().then((isProved) => (isProved ? onChange() : undefined)))}
        >
          {s.invitations.showLink}
        </ActButton>
      )}
    </li>
  )
}

function ByMail({ onSent }: { readonly onSent: () => Promise<void> }) {
  const [sent, setSent] = useState('')
  const addresses = useRef<HTMLTextAreaElement>(null)
  const send = async (form: FormData) => {
    setSent('')
    const entered = addressesIn(String(form.get('emails')))
    const action = inviteByMail(entered, termsOf(form))
    const error = await action.then(
      () => undefined,
      (error: unknown) => error,
    )
    if (error === undefined) {
      setSent(entered)
      return undefined
    }
    // The others have their invitations, and are refused if the form is sent again.
    if (hasInvitedOthers(error) && addresses.current) {
      addresses.current.value = failedAddresses(error)
        .map(([address]) => address)
        .join('\n')
    }
    return refusalWithAddresses(error)
  }
  return (
    <Part
      title={s.invitations.byMail}
      hint={state.server.server_sends_mail ? undefined : s.invitations.noMail}
    >
      <div onInput={() => setSent('')}>
        <ActForm
          kind="main"
          button={s.invitations.send}
          questionFor={questionFor}
          onAct={send}
          onDone={onSent}
        >
          <label class="labelled">
            <span>{s.invitations.addresses}</span>
            <textarea ref={addresses} class="field" name="emails" required rows={2} />
          </label>
          <Terms />
        </ActForm>
      </div>
      {sent !== '' && <p role="status">{sentTo(sent)}</p>}
    </Part>
  )
}

/** Returns what is said of invitations that the server has taken. `addresses`: one per line. */
function sentTo(addresses: string): string {
  const count = addresses.split('\n').length
  if (!state.server.server_sends_mail) return s.invitations.waiting(count)
  return count === 1 ? s.invitations.sentTo(addresses) : s.invitations.sent(count)
}

interface ByLinkProps {
  /** The one that was made last; '' for none. */
  readonly link: string
  readonly onLink: (link: string) => void
  /** Undefined until they are known. */
  readonly open: readonly Invitation[] | undefined
  readonly onMade: () => Promise<void>
}

function ByLink({ link, onLink, open, onMade }: ByLinkProps) {
  const [isListed, setListed] = useState(false)
  const isRevoked = isListed && open?.every(({ link_url }) => link_url !== link && link_url !== '')
  return (
    <Part
      title={s.invitations.byLink}
      hint={state.server.server_sends_mail ? s.invitations.confirmedLinkHint : s.invitations.linkHint}
    >
      <ActForm
        button={s.invitations.makeLink}
        questionFor={questionFor}
        onAct={(form) => {
          setListed(false)
          return refusalOf(createInviteLink(termsOf(form)).then(onLink))
        }}
        onDone={() => onMade().then(() => setListed(true))}
      >
        <Terms />
      </ActForm>
      {link && !isRevoked && (
        <div role="status">
          <ShownKey value={link} />
        </div>
      )}
    </Part>
  )
}

/** The terms of an invitation: the new members' role, channels and groups, and its validity. */
function Terms() {
  watch('channel', 'group', 'me', 'organization')
  const channels = [...state.channels.values()]
    .filter((channel) => !channel.is_archived && mayReadChannel(state, channel))
    .sort((a, b) => a.name.localeCompare(b.name))
  const [channelIds, setChannelIds] = useState<ReadonlySet<number>>(new Set(state.defaultChannels))
  const chosen = channels.filter(({ stream_id }) => channelIds.has(stream_id))
  const groups = [...state.groups.values()]
    .filter((group) => !group.deactivated && mayAddMembers(state, group))
    .sort((a, b) => a.name.localeCompare(b.name))
  return (
    <>
      <div class="act-line">
        <label class="labelled">
          <span>{s.invitations.as}</span>
          <select class="field" name="role">
            {rolesToInviteAs(state).map((role) => (
              <option key={role} value={role} selected={role === ROLE.member}>
                {t.roles[role]}
              </option>
            ))}
          </select>
        </label>
        <label class="labelled">
          <span>{s.invitations.expiry}</span>
          <select class="field" name="minutes">
            {EXPIRIES.map((minutes) => (
              <option key={minutes} value={String(minutes)} selected={minutes === 10_080}>
                {s.invitations.expiries[minutes ?? 0]}
              </option>
            ))}
          </select>
        </label>
      </div>
      <details class="settings-details">
        <summary>
          {s.invitations.channels}
          <span class="soft">{t.colon + namesOf(chosen)}</span>
        </summary>
        {channels.map(({ stream_id, name }) => (
          <label key={stream_id} class="check">
            <input
              type="checkbox"
              name="channel"
              value={stream_id}
              checked={channelIds.has(stream_id)}
              onChange={(event) => {
                const next = new Set(channelIds)
                if (event.currentTarget.checked) next.add(stream_id)
                else next.delete(stream_id)
                setChannelIds(next)
              }}
            />
            <bdi>#{name}</bdi>
          </label>
        ))}
      </details>
      {groups.length > 0 && (
        <details class="settings-details">
          <summary>{s.invitations.groups}</summary>
          {groups.map(({ id, name }) => (
            <label key={id} class="check">
              <input type="checkbox" name="group" value={id} />
              <bdi>@{name}</bdi>
            </label>
          ))}
        </details>
      )}
    </>
  )
}

/** Number of names that a closed list shows of those that are chosen in it. */
const NAMES_SHOWN = 5

function namesOf(channels: readonly Channel[]): string {
  const names = channels.slice(0, NAMES_SHOWN).map(({ name }) => own(`#${name}`))
  if (names.length === 0) return s.nothingChosen
  return channels.length > NAMES_SHOWN ? `${names.join(', ')}…` : listed(names)
}

function questionFor(form: FormData): Question | undefined {
  return ownerQuestion(termsOf(form).role, s.invitations.ownerQuestion)
}

/** Returns why invitations were not sent, and to which addresses. */
async function refusalWithAddresses(error: unknown): Promise<string | undefined> {
  const refusal = await refusalOf(Promise.reject(error))
  const addresses = failedAddresses(error)
  if (addresses.length === 0) return refusal
  return [refusal, ...addresses.map(([address, why]) => address + t.colon + why)].join('\n')
}

function termsOf(form: FormData): InvitationTerms {
  const minutes = String(form.get('minutes'))
  return {
    role: Number(form.get('role')) as Role,
    channelIds: form.getAll('channel').map(Number),
    groupIds: form.getAll('group').map(Number),
    minutes: minutes === 'null' ? null : Number(minutes),
  }
}
