import { endSession, loadSessions } from '../../actions/own-account.ts'
import { type Device, loadDevices, logOutElsewhere, removeDevice } from '../../actions/second-factors.ts'
import { s } from '../../texts/settings.ts'
import { Part } from '../../ui/setting-row.tsx'
import { ago, wholeTime } from '../../ui/time.tsx'
import { tip } from '../../ui/tooltip.ts'
import { ActButton } from '../../ui/use-action.tsx'
import { FetchedList, refusalOf, useFetched } from './fetched.tsx'

/** Browsers in which the user is logged in. */
export function Sessions() {
  const sessions = useFetched(loadSessions)
  return (
    <Part title={s.sessions.title} hint={s.sessions.hint}>
      <FetchedList of={sessions} nothing={s.sessions.nothing}>
        {(list) => (
          <ul class="items">
            {list.map(({ id, user_agent, began_at, used_at, is_current }) => (
              <li key={id} class="item">
                <span class="item-main">
                  {browserName(user_agent)}
                  {is_current && <strong> {s.sessions.thisOne}</strong>}
                  <span class="small soft" {...tip(wholeTime(began_at))}>
                    {s.sessions.used({ used: ago(used_at), began: ago(began_at) })}
                  </span>
                </span>
                {!is_current && (
                  <ActButton
                    label={`${s.sessions.end}: ${browserName(user_agent)}`}
                    question={{
                      title: s.sessions.endQuestion(browserName(user_agent)),
                      text: s.sessions.endWarning,
                    }}
                    onAct={async () => {
                      const refusal = await refusalOf(endSession(id))
                      if (refusal === undefined) await sessions.reload()
                      return refusal
                    }}
                  >
                    {s.sessions.end}
                  </ActButton>
                )}
              </li>
            ))}
          </ul>
        )}
      </FetchedList>
      <ActButton
        kind="danger"
        question={{ title: s.sessions.endOthersQuestion, text: s.sessions.endOthersHint }}
        onAct={async () => {
          const refusal = await refusalOf(logOutElsewhere())
          if (refusal === undefined) await sessions.reload()
          return refusal
        }}
      >
        {s.sessions.endOthers}
      </ActButton>
    </Part>
  )
}

/** Phones and tablets that get notifications of the user's messages. */
export function Devices() {
  const devices = useFetched(loadDevices)
  return (
    <Part title={s.sessions.devices} hint={s.sessions.devicesHint}>
      <FetchedList of={devices} nothing={s.sessions.noDevices}>
        {(list) => (
          <ul class="items">
            {list.map((device) => (
              <li key={Object.values(device.known)[0]} class="item">
                <span class="item-main">
                  {deviceName(device)}
                  {device.registered_at !== null && (
                    <span class="small soft">{s.sessions.registered(ago(device.registered_at))}</span>
                  )}
                </span>
                <ActButton
                  label={`${s.sessions.endDevice}: ${deviceName(device)}`}
                  question={{
                    title: s.sessions.endDeviceQuestion(deviceName(device)),
                    text: s.sessions.endDeviceWarning,
                  }}
                  onAct={async () => {
                    const refusal = await refusalOf(removeDevice(device))
                    if (refusal === undefined) await devices.reload()
                    return refusal
                  }}
                >
                  {s.sessions.endDevice}
                </ActButton>
              </li>
            ))}
          </ul>
        )}
      </FetchedList>
    </Part>
  )
}

function deviceName({ kind }: Device): string {
  if (kind === null) return s.sessions.device
  return kind === 'apns' ? 'iOS' : 'Android'
}

const BROWSERS = [
  [/Edg\//, 'Edge'],
  [/OPR\//, 'Opera'],
  [/Firefox\//, 'Firefox'],
  [/Chrom(e|ium)\//, 'Chrome'],
  [/Safari\//, 'Safari'],
] as const
const SYSTEMS = [
  [/Android/, 'Android'],
  [/iPhone|iPad/, 'iOS'],
  [/Windows/, 'Windows'],
  [/Mac OS X/, 'macOS'],
  [/Linux/, 'Linux'],
] as const

/** Returns `Firefox, Linux`; the whole header where neither is known. */
function browserName(userAgent: string): string {
  const found = [BROWSERS, SYSTEMS].flatMap(
    (table) => table.find(([sign]) => sign.test(userAgent))?.[1] ?? [],
  )
  return found.join(', ') || userAgent || s.sessions.unknown
}
