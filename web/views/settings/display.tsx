import { flush, state } from '../../chat.ts'
import { s } from '../../texts/settings.ts'
import { LANGUAGE_CHOICES, locale, t } from '../../texts/texts.ts'
import { type ValuesIn, wordFor } from '../../texts/word-for.ts'
import { ChoiceRow, Part, SwitchRow } from '../../ui/setting-row.tsx'
import { store } from '../../ui/stored.ts'
import { clock } from '../../ui/time.tsx'
import { twelveHoursKey } from '../preferences.ts'
import { refusalOf } from './fetched.tsx'
import { useShownSettings } from './shown-settings.ts'

/** Settings that are on or off, by their API names. */
const BEHAVIOUR = [
  'enter_sends',
  'starred_message_counts',
  'display_emoji_reaction_users',
  'translate_emoticons',
  'enable_drafts_synchronization',
  'receives_typing_notifications',
  'web_escape_navigates_to_home_view',
  'web_left_sidebar_show_channel_folders',
] as const

/** Settings with a few values, as the API has them. */
const CHOICES = {
  color_scheme: [1, 3, 2],
  web_home_view: ['inbox', 'recent', 'all_messages'],
  twenty_four_hour_time: [false, true],
  emojiset: ['google', 'twitter', 'google-blob', 'text'],
  web_font_size_px: [14, 15, 16, 18, 20],
  web_line_height_percent: [122, 140, 160],
  web_mark_read_on_scroll_policy: [1, 2, 3],
  web_channel_default_view: [1, 2, 3, 4],
  demote_inactive_streams: [1, 2, 3],
  user_list_style: [1, 2, 3],
  web_stream_unreads_count_display_policy: [1, 2, 3],
  web_animate_image_previews: ['always', 'on_hover', 'never'],
} as const satisfies ValuesIn<typeof s.display.choices>

/** Settings that this page has nothing for. */
const FOR_OTHER_APPS = [
  'emojiset',
  'web_animate_image_previews',
  'web_channel_default_view',
  'demote_inactive_streams',
  'user_list_style',
] as const

/** Settings of how the page looks and behaves; other clients follow the same settings. */
export function DisplaySection() {
  const { isDefaults, values, save } = useShownSettings()
  const zones = Intl.supportedValuesOf('timeZone')
  return (
    <>
      <Part title={s.display.looks}>
        <Choice name="color_scheme" />
        {!isDefaults && (
          <ChoiceRow
            label={t.settings.language}
            value={values.default_language as string}
            choices={LANGUAGE_CHOICES}
            onSave={async (language) => {
              const refusal = await refusalOf(save('default_language', language))
              if (refusal === undefined) location.reload()
              return refusal
            }}
          />
        )}
        <Choice name="web_font_size_px" />
        <Choice name="web_line_height_percent" />
        <Switch name="fluid_layout_width" />
      </Part>
      <Part title={s.display.time}>
        {!isDefaults && (
          <ChoiceRow
            label={s.display.names.timezone}
            value={values.timezone as string}
            choices={[['', s.display.deviceZone], ...zones.map((zone) => [zone, zone] as const)]}
            onSave={(zone) => refusalOf(save('timezone', zone))}
          />
        )}
        {isDefaults ? <Choice name="twenty_four_hour_time" /> : <ClockChoice />}
      </Part>
      <Part title={s.display.lists}>
        <Choice name="web_home_view" />
        <Choice name="web_stream_unreads_count_display_policy" />
        <Choice name="web_mark_read_on_scroll_policy" />
      </Part>
      <Part title={s.display.behaviour}>
        {BEHAVIOUR.map((name) => (
          <Switch key={name} name={name} />
        ))}
      </Part>
      <details class="settings-others">
        <summary>{s.display.otherApps}</summary>
        <Part hint={s.display.otherClients}>
          {FOR_OTHER_APPS.map((name) => (
            <Choice key={name} name={name} />
          ))}
        </Part>
      </details>
    </>
  )
}

function Switch({ name }: { readonly name: keyof typeof s.display.switches }) {
  const { values, save } = useShownSettings()
  return (
    <SwitchRow
      label={s.display.switches[name]}
      value={values[name] === true}
      onSave={(value) => refusalOf(save(name, value))}
    />
  )
}

function Choice({ name }: { readonly name: keyof typeof CHOICES }) {
  const { values, save } = useShownSettings()
  return (
    <ChoiceRow
      label={s.display.names[name]}
      value={values[name]}
      choices={CHOICES[name].map(
        (value) => [value as unknown, wordFor(s.display.choices[name], value) ?? String(value)] as const,
      )}
      onSave={(value) => refusalOf(save(name, value))}
    />
  )
}

/** The clock: one's own choice, or else that of the language. */
function ClockChoice() {
  const { values, save } = useShownSettings()
  const name = 'twenty_four_hour_time'
  const choose = async (isTwentyFour: boolean) => {
    if (isTwentyFour !== values[name]) await save(name, isTwentyFour)
    if (isTwentyFour) localStorage.removeItem(twelveHoursKey())
    else store(twelveHoursKey(), {})
    state.changes.touch('settings')
    flush()
  }
  return (
    <ChoiceRow
      label={s.display.names[name]}
      hint={isOfTwentyFourHours(locale()) ? s.display.twelveHours : undefined}
      value={clock.isTwentyFourHours ?? isOfTwentyFourHours(locale())}
      choices={CHOICES[name].map((value) => [value, s.display.choices[name][`${value}`]] as const)}
      onSave={(value) => refusalOf(choose(value))}
    />
  )
}

/** Whether a locale's own clock has 24 hours. */
function isOfTwentyFourHours(locale: string): boolean {
  const { hourCycle } = new Intl.DateTimeFormat(locale, { hour: 'numeric' }).resolvedOptions()
  return hourCycle === 'h23' || hourCycle === 'h24'
}
