import { changeBot, deactivateBot } from '../../actions/bots.ts'
import { state, watch } from '../../chat.ts'
import { mayReadChannel } from '../../state/channel-permissions.ts'
import { mayChangeRole } from '../../state/people-permissions.ts'
import { s } from '../../texts/settings.ts'
import { Dialog } from '../../ui/dialog.tsx'
import { ChoiceRow, TextRow } from '../../ui/setting-row.tsx'
import { ActButton } from '../../ui/use-action.tsx'
import { announce } from '../announcement.tsx'
import { refusalOf } from '../settings/fetched.tsx'
import { PersonRow } from '../settings/people-row.tsx'
import { RoleRow } from './edit-user.tsx'

/** The properties of a bot that administrators and its owner may change: name, owner and role, and its owner the channels too. */
export function EditBotAccount({ botId, onClose }: { readonly botId: number; readonly onClose: () => void }) {
  watch(`user ${botId}`, 'bots', 'user', 'me')
  const bot = state.users.get(botId)
  if (!bot) return null
  return (
    <Dialog wide title={bot.full_name} onClose={onClose}>
      <div class="dialog-rows">
        <TextRow
          label={s.profile.name}
          value={bot.full_name}
          required
          maxLength={100}
          onSave={(name) => refusalOf(changeBot(botId, { full_name: name.trim() }))}
        />
        <BotAccountRows botId={botId} />
        <p class="spaced-button">
          <ActButton
            kind="danger"
            question={{ title: s.bots.deactivateQuestion(bot.full_name), text: s.bots.deactivateHint }}
            onAct={async () => {
              const refusal = await refusalOf(deactivateBot(botId))
              if (refusal === undefined) {
                announce(s.people.deactivated(bot.full_name))
                onClose()
              }
              return refusal
            }}
          >
            {s.deactivate}
          </ActButton>
        </p>
      </div>
    </Dialog>
  )
}

/** Incoming webhooks only write. */
const INCOMING = 2
const CHANNELS = ['default_sending_stream', 'default_events_register_stream'] as const

/** Owner, role and default channels of a bot. */
export function BotAccountRows({ botId }: { readonly botId: number }) {
  watch(`user ${botId}`, 'bots', 'user', 'channel')
  const bot = state.users.get(botId)
  if (!bot) return null
  const known = state.bots.get(botId)
  const isOwn = bot.bot_owner_id === state.me
  const channels = [...state.channels.values()]
    .filter((channel) => !channel.is_archived && mayReadChannel(state, channel))
    .map(({ name }) => name)
    .sort((a, b) => a.localeCompare(b))
  return (
    <>
      <PersonRow
        label={s.bots.owner}
        value={bot.bot_owner_id}
        isLeftOut={({ is_bot, is_guest }) => is_bot || is_guest}
        questionFor={() =>
          isOwn
            ? {
                title: s.bots.giveAway(bot.full_name),
                text: s.bots.giveAwayHint,
                button: s.bots.giveAwayButton,
              }
            : {
                title: s.bots.takeOver(bot.full_name),
                text: s.bots.takeOverHint,
                button: s.bots.takeOverButton,
              }
        }
        onSave={(id) => refusalOf(changeBot(botId, { bot_owner_id: id }))}
      />
      {mayChangeRole(state, bot) && <RoleRow user={bot} onSave={(role) => changeBot(botId, { role })} />}
      {isOwn &&
        known &&
        CHANNELS.filter((name) => bot.bot_type !== INCOMING || name === 'default_sending_stream').map(
          (name) => (
            <ChoiceRow
              key={name}
              label={s.bots.channels[name]}
              value={(known[name] as string | null) ?? ''}
              choices={[['', s.nothingChosen], ...channels.map((one) => [one, `#${one}`] as const)]}
              onSave={(channel) => refusalOf(changeBot(botId, { [name]: channel }))}
            />
          ),
        )}
    </>
  )
}
