import './shelf.css'
import { useState } from 'preact/hooks'
import { createBot, sendTestPost } from '../../actions/bots.ts'
import { state, watch } from '../../chat.ts'
import { testParameters } from '../../state/webhook-address.ts'
import type { Integration } from '../../state/wire.ts'
import { s } from '../../texts/settings.ts'
import { Avatar } from '../../ui/avatar.tsx'
import { Part } from '../../ui/setting-row.tsx'
import { inOrder, nameOf, TEMPLATE } from './connect-service.tsx'
import { refusalOf } from './fetched.tsx'
import { SAMPLE } from './webhook-template.tsx'

/** The services that most teams have, which stand before the others. */
const FIRST = [
  ...[
    'github',
    'gitlab',
    'jira',
    'linear',
    'sentry',
    'grafana',
    'pagerduty',
    'jenkins',
    'circleci',
    'datadog',
  ],
  ...['trello', 'asana', 'notion', 'stripe', 'zendesk', 'hubspot', 'google_calendar', 'rss', 'zapier'],
  TEMPLATE,
]

interface ShelfProps {
  /** Called with the bot of a service that was chosen, which has posted its first message. */
  readonly onMade: (made: { readonly id: number; readonly key: string }) => void
}

/** The services that can post here. A click makes a bot with an address, and a first message, which the service’s own sample is. */
export function Shelf({ onMade }: ShelfProps) {
  watch('user')
  const [isWhole, setWhole] = useState(false)
  const [isBusy, setBusy] = useState(false)
  const [refusal, setRefusal] = useState<string>()
  const all = inOrder(state.integrations)
  const first = FIRST.map((name) => all.find((one) => one.name === name)).filter((one) => one !== undefined)
  const connect = async (service: Integration) => {
    setBusy(true)
    setRefusal(await refusalOf(connectTo(service).then(onMade)))
    setBusy(false)
  }
  return (
    <Part title={s.bots.connect}>
      <ul class="shelf">
        {(isWhole ? all : first).map((one) => (
          <li key={one.name}>
            <button type="button" class="shelf-service" disabled={isBusy} onClick={() => void connect(one)}>
              <Avatar url={undefined} name={nameOf(one)} size={28} />
              <span class="shelf-name">{nameOf(one)}</span>
            </button>
          </li>
        ))}
      </ul>
      {refusal && (
        <p class="refusal" role="alert">
          {refusal}
        </p>
      )}
      {!isWhole && (
        <button type="button" class="setting-more" onClick={() => setWhole(true)}>
          {s.bots.allServices(all.length)}
        </button>
      )}
    </Part>
  )
}

async function connectTo(service: Integration): Promise<{ readonly id: number; readonly key: string }> {
  const { name, display_name } = service
  const made = await createBot({
    ...freeNames(name === TEMPLATE ? 'Webhook' : display_name),
    type: 2,
    url: '',
  })
  const target = {
    integration: name,
    key: made.key,
    channelId: undefined,
    topic: '',
    filter: 'all',
    events: [],
    options: {},
    looksLikeOther: false,
  } as const
  await sendTestPost(made.id, name, testParameters(target), name === TEMPLATE ? SAMPLE : undefined)
  return made
}

/** Returns the names of a bot for this service: with a number if there is one already. */
function freeNames(service: string): { readonly name: string; readonly shortName: string } {
  const taken = new Set([...state.users.values()].map(({ email }) => email.split('@')[0]))
  const short = (service.toLowerCase().match(/[a-z0-9]+/g) ?? ['webhook']).join('-')
  for (let number = 1; ; number += 1) {
    const shortName = number === 1 ? short : `${short}-${number}`
    if (!taken.has(`${shortName}-bot`))
      return { name: number === 1 ? service : `${service} ${number}`, shortName }
  }
}
