import { watch } from '../../chat.ts'
import { allow, permission } from '../../notifications/permission-line.tsx'
import { playSound } from '../../notifications/sound.ts'
import { s } from '../../texts/settings.ts'
import { type ValuesIn, wordFor } from '../../texts/word-for.ts'
import { Button } from '../../ui/button.tsx'
import { type Save, useSaving } from '../../ui/saving.ts'
import { ChoiceRow, Part, SwitchRow } from '../../ui/setting-row.tsx'
import { tip } from '../../ui/tooltip.ts'
import { refusalOf } from './fetched.tsx'
import { cellLabel, GRID, KINDS, WAYS } from './notification-grid.ts'
import { useShownSettings } from './shown-settings.ts'

const SWITCHES = {
  desktop: ['pm_content_in_desktop_notifications'],
  mobile: ['enable_online_push_notifications'],
  email: [
    'message_content_in_email_notifications',
    'enable_digest_emails',
    'enable_login_emails',
    'enable_marketing_emails',
  ],
  topics: ['automatically_follow_topics_where_mentioned'],
} as const

const CHOICES = {
  desktop_icon_count_display: [1, 2, 3, 4],
  email_notifications_batching_period_seconds: [120, 300, 600, 1_800, 3_600, 21_600, 86_400, 604_800],
  realm_name_in_email_notifications_policy: [1, 2, 3],
  automatically_follow_topics_policy: [1, 2, 3, 4],
  automatically_unmute_topics_in_muted_streams_policy: [1, 2, 3, 4],
  resolved_topic_notice_auto_read_policy: ['always', 'except_followed', 'never'],
} as const satisfies ValuesIn<typeof s.notifications.choices>

const SOUNDS = ['zulip', 'ding'] as const

/** The user's settings of notifications. */
export function NotificationsSection() {
  watch('organization')
  const { isDefaults, values, save } = useShownSettings()
  const { notification_sound: sound } = values
  const isOther = sound !== 'none' && !SOUNDS.some((one) => one === sound)
  return (
    <>
      {!isDefaults && <ThisBrowser />}
      <Part title={s.notifications.whatAndHow}>
        <table class="settings-grid">
          <thead>
            <tr>
              <td />
              {WAYS.map((way) => (
                <th key={way} scope="col">
                  {s.notifications.ways[way]}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {KINDS.map((kind) => (
              <tr key={kind}>
                <th scope="row">{s.notifications.kinds[kind]}</th>
                {WAYS.map((way) => (
                  <td key={way}>
                    {GRID[kind][way] && <Cell name={GRID[kind][way]} label={cellLabel(kind, way)} />}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </Part>
      <Part title={s.notifications.desktop}>
        <Switches names={SWITCHES.desktop} />
        <ChoiceRow
          label={s.notifications.names.notification_sound}
          value={sound}
          choices={[
            ...SOUNDS.map((one) => [one as unknown, s.notifications.sounds[one]] as const),
            ...(isOther ? [[sound, String(sound)] as const] : []),
            ['none', s.notifications.noSound],
          ]}
          onSave={(value) => {
            // To be heard before it is kept.
            playSound(String(value))
            return refusalOf(save('notification_sound', value))
          }}
        />
        <Choice name="desktop_icon_count_display" />
      </Part>
      <Part title={s.notifications.mobile}>
        <Switches names={SWITCHES.mobile} />
      </Part>
      <Part title={s.notifications.email} hint={s.notifications.emailHint}>
        <Switches names={SWITCHES.email} />
        <Choice name="email_notifications_batching_period_seconds" />
        <Choice name="realm_name_in_email_notifications_policy" />
      </Part>
      <Part title={s.notifications.topics}>
        <Choice name="automatically_follow_topics_policy" />
        <Choice name="automatically_unmute_topics_in_muted_streams_policy" />
        <Choice name="resolved_topic_notice_auto_read_policy" />
        <Switches names={SWITCHES.topics} />
      </Part>
    </>
  )
}

/** Whether this browser shows notifications, with the button for it where it has not been asked or “Not now” was the answer. */
function ThisBrowser() {
  const { value } = permission
  if (value === undefined) return null
  return (
    <Part title={s.account.thisBrowser}>
      {value === 'default' ? (
        <p>
          <Button onClick={allow}>{s.notifications.enableHere}</Button>
        </p>
      ) : (
        <p role="status">{value === 'granted' ? s.notifications.areOn : s.notifications.areBlocked}</p>
      )}
    </Part>
  )
}

function Cell({ name, label }: { readonly name: string; readonly label: string }) {
  const settings = useShownSettings()
  const onSave: Save<boolean> = (value) => refusalOf(settings.save(name, value))
  const { shown, state: saved, refusal, save } = useSaving(settings.values[name] === true, onSave)
  return (
    <span class="grid-cell" data-state={saved}>
      <input
        type="checkbox"
        aria-label={label}
        {...tip(refusal || label)}
        checked={shown}
        onChange={(event) => save(event.currentTarget.checked)}
      />
      {refusal && (
        <span class="refusal" role="alert">
          {refusal}
        </span>
      )}
    </span>
  )
}

type SwitchName = (typeof SWITCHES)[keyof typeof SWITCHES][number]

function Switches({ names }: { readonly names: readonly SwitchName[] }) {
  const { values, save } = useShownSettings()
  return (
    <>
      {names.map((name) => (
        <SwitchRow
          key={name}
          label={s.notifications.switches[name]}
          value={values[name] === true}
          onSave={(value) => refusalOf(save(name, value))}
        />
      ))}
    </>
  )
}

function Choice({ name }: { readonly name: keyof typeof CHOICES }) {
  const { values, save } = useShownSettings()
  return (
    <ChoiceRow
      label={s.notifications.names[name]}
      value={values[name]}
      choices={CHOICES[name].map(
        (value) =>
          [value as unknown, wordFor(s.notifications.choices[name], value) ?? String(value)] as const,
      )}
      onSave={(value) => refusalOf(save(name, value))}
    />
  )
}
