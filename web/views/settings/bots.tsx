import { useRef, useState } from 'preact/hooks'
import { reactivateUser } from '../../actions/accounts.ts'
import { changeBot, createBot, deactivateBot, loadBotKey, renewBotKey } from '../../actions/bots.ts'
import { state, watch } from '../../chat.ts'
import { canBeReactivated, mayCreateBot } from '../../state/people-permissions.ts'
import type { User } from '../../state/wire.ts'
import { s } from '../../texts/settings.ts'
import { Avatar } from '../../ui/avatar.tsx'
import { Button, IconButton } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Part, TextRow } from '../../ui/setting-row.tsx'
import { ActButton, ActForm } from '../../ui/use-action.tsx'
import { BotAccountRows } from '../people-settings/edit-bot-account.tsx'
import { Deliveries, EventsPart, SecretPart } from './bot-webhook.tsx'
import { refusalOf } from './fetched.tsx'
import { IncomingWebhookParts } from './incoming-webhook.tsx'
import { Shelf } from './shelf.tsx'
import { ShownKey } from './shown-key.tsx'

const TYPES = [1, 2, 3] as const
const INCOMING = 2
const OUTGOING = 3

/** A bot that is edited. `key`: '' until the user asks for it, as the server asks for a proof then. */
interface OpenedBot {
  readonly id: number
  readonly key: string
}

/** The user's own bots. */
export function BotsSection() {
  watch('user', 'bots', 'organization', 'group', 'me')
  const [opened, setOpened] = useState<OpenedBot>()
  const edited = opened && state.users.get(opened.id)
  const bots = [...state.users.values()].filter(({ bot_owner_id }) => bot_owner_id === state.me)
  const offered = TYPES.filter((type) => mayCreateBot(state, type))
  return (
    <>
      {offered.includes(INCOMING) && <Shelf onMade={setOpened} />}
      <Part>
        {bots.length === 0 ? (
          <p class="setting-nothing">{s.bots.nothing}</p>
        ) : (
          <ul class="items">
            {bots.map((bot) => (
              <BotItem key={bot.user_id} bot={bot} onEdit={() => setOpened({ id: bot.user_id, key: '' })} />
            ))}
          </ul>
        )}
      </Part>
      {offered.length > 0 && <CreateBot types={offered} onIncoming={setOpened} />}
      {edited?.is_active && (
        <EditBot bot={edited} shownKey={opened!.key} onClose={() => setOpened(undefined)} />
      )}
    </>
  )
}

function BotItem({ bot, onEdit }: { readonly bot: User; readonly onEdit: () => void }) {
  watch(`user ${bot.user_id}`)
  const [key, setKey] = useState('')
  const { user_id, full_name, email, bot_type, is_active } = bot
  return (
    <li class="item">
      <Avatar url={bot.avatar_url} name={full_name} size={32} />
      <span class="item-main">
        {full_name}
        <span class="small soft">
          {s.bots.types[bot_type as 1 | 2 | 3] ?? ''} · {email}
          {!is_active && ` · ${s.deactivated}`}
        </span>
      </span>
      {is_active ? (
        <span class="item-end">
          {key === '' && (
            <ActButton
              label={`${s.bots.showKey}: ${full_name}`}
              onAct={() => refusalOf(loadBotKey(user_id).then(setKey))}
            >
              {s.bots.showKey}
            </ActButton>
          )}
          <IconButton icon="edit" label={s.people.edit(full_name)} onClick={onEdit} />
          <ActButton
            kind="danger"
            label={`${s.deactivate}: ${full_name}`}
            question={{ title: s.bots.deactivateQuestion(full_name), text: s.bots.deactivateHint }}
            onAct={() => refusalOf(deactivateBot(user_id))}
          >
            {s.deactivate}
          </ActButton>
        </span>
      ) : (
        canBeReactivated(bot) && (
          <ActButton label={`${s.reactivate}: ${full_name}`} onAct={() => refusalOf(reactivateUser(user_id))}>
            {s.reactivate}
          </ActButton>
        )
      )}
      {key !== '' && is_active && (
        <ShownKey value={key}>
          <ActButton
            kind="danger"
            question={{ title: s.account.renewQuestion, text: s.account.renewHint }}
            onAct={() => refusalOf(renewBotKey(user_id).then(setKey))}
          >
            {s.account.renewKey}
          </ActButton>
          <Button onClick={() => setKey('')}>{s.hide}</Button>
        </ShownKey>
      )}
    </li>
  )
}

interface EditBotProps {
  readonly bot: User
  /** Its key, if it was made just now. */
  readonly shownKey: string
  readonly onClose: () => void
}

function EditBot({ bot, shownKey, onClose }: EditBotProps) {
  watch('bots', `user ${bot.user_id}`)
  const { user_id, full_name, bot_type } = bot
  const services = state.bots.get(user_id)?.services as readonly { base_url?: string }[] | undefined
  return (
    <Dialog title={full_name} wide={bot_type === INCOMING || bot_type === OUTGOING} onClose={onClose}>
      <TextRow
        label={s.profile.name}
        value={full_name}
        required
        maxLength={100}
        onSave={(name) => refusalOf(changeBot(user_id, { full_name: name.trim() }))}
      />
      <BotAccountRows botId={user_id} />
      {bot_type === INCOMING && <IncomingWebhookParts botId={user_id} shownKey={shownKey} />}
      {bot_type === OUTGOING && (
        <>
          <TextRow
            label={s.bots.url}
            type="url"
            value={services?.[0]?.base_url ?? ''}
            required
            maxLength={2_000}
            onSave={(url) => refusalOf(changeBot(user_id, { service_payload_url: url }))}
          />
          <SecretPart botId={user_id} />
          <EventsPart botId={user_id} />
          <Deliveries botId={user_id} />
        </>
      )}
    </Dialog>
  )
}

/** Returns a username for a bot of this name: `Über Deploy` becomes `uber-deploy`. */
function usernameOf(name: string): string {
  const letters = name.normalize('NFKD').replaceAll(/\p{M}/gu, '').toLowerCase()
  return (letters.match(/[a-z0-9]+/g) ?? []).join('-').slice(0, 60)
}

interface CreateBotProps {
  readonly types: readonly number[]
  /** Called for an incoming webhook, which still has to be connected. */
  readonly onIncoming: (made: OpenedBot) => void
}

function CreateBot({ types, onIncoming }: CreateBotProps) {
  const [type, setType] = useState(types[0]!)
  const [secret, setSecret] = useState('')
  const short = useRef<HTMLInputElement>(null)
  /** The username that was made of the name; one that was typed stays. */
  const suggested = useRef('')
  const suggest = (name: string) => {
    if (!short.current || short.current.value !== suggested.current) return
    suggested.current = usernameOf(name)
    short.current.value = suggested.current
  }
  return (
    <Part title={s.bots.create}>
      <ActForm
        kind="main"
        button={s.create}
        onAct={(form) =>
          refusalOf(
            createBot({
              name: String(form.get('name')).trim(),
              shortName: String(form.get('short')).trim(),
              type,
              url: String(form.get('url') ?? ''),
            }).then((made) => {
              setSecret(made.secret)
              suggested.current = ''
              if (type === INCOMING) onIncoming(made)
            }),
          )
        }
      >
        <label class="labelled">
          <span>{s.bots.type}</span>
          <select class="field" value={type} onChange={(event) => setType(Number(event.currentTarget.value))}>
            {types.map((one) => (
              <option key={one} value={one}>
                {s.bots.types[one as 1 | 2 | 3]}
              </option>
            ))}
          </select>
        </label>
        {types.includes(INCOMING) && <p class="setting-hint">{s.bots.integrations}</p>}
        <label class="labelled">
          <span>{s.profile.name}</span>
          <input
            class="field"
            name="name"
            required
            maxLength={100}
            autocomplete="off"
            onInput={(event) => suggest(event.currentTarget.value)}
          />
        </label>
        <label class="labelled">
          <span>{s.bots.short}</span>
          <input ref={short} class="field" name="short" required maxLength={60} autocomplete="off" />
        </label>
        {type === OUTGOING && (
          <label class="labelled">
            <span>{s.bots.url}</span>
            <input class="field" name="url" type="url" required maxLength={2000} />
          </label>
        )}
      </ActForm>
      {secret !== '' && (
        <>
          <p class="setting-hint">{s.bots.secretHint}</p>
          <ShownKey value={secret} />
        </>
      )}
    </Part>
  )
}
