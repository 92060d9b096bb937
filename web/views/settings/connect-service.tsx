import { useId, useState } from 'preact/hooks'
import { type PostResult, sendTestPost } from '../../actions/bots.ts'
import { state, watch } from '../../chat.ts'
import { mayPost } from '../../state/channel-permissions.ts'
import {
  canLookLikeOther,
  testParameters,
  type WebhookTarget,
  webhookAddress,
} from '../../state/webhook-address.ts'
import type { Integration } from '../../state/wire.ts'
import { guideOf } from '../../texts/service-guide.ts'
import { s } from '../../texts/settings.ts'
import { CopyButton } from '../../ui/copy-button.tsx'
import { Part } from '../../ui/setting-row.tsx'
import { ActButton } from '../../ui/use-action.tsx'
import { refusalOf } from './fetched.tsx'

/** The integration that reads any post, with a template of the bot's owner. */
export const TEMPLATE = 'template'

/** Integrations that are no services, but forms of posts, which many programs have. */
const FORMS_OF_POSTS: ReadonlySet<string> = new Set([TEMPLATE, 'json', 'slack_incoming', 'discord_incoming'])

const FILTERS = ['all', 'only', 'except'] as const
/** Some options are on by default, so that off must be said too. */
const SWITCHES = ['', 'true', 'false'] as const

interface ConnectServiceProps {
  readonly botId: number
  /** The bot's key, which is part of the address; '' until it is asked for. */
  readonly botKey: string
  readonly onShowKey: () => Promise<void>
  /** Name of the chosen integration; undefined before the choice. */
  readonly service: string | undefined
  readonly onService: (name: string) => void
  /** JSON that is posted as a test to the template. */
  readonly sample: string
  /** Looks for the last posts again. */
  readonly onPosted: () => Promise<unknown>
}

/** Choices that make up the address for a service. They are not stored. */
export function ConnectService(props: ConnectServiceProps) {
  const { service, onService } = props
  const [place, setPlace] = useState<Place>({ channelId: undefined, topic: '' })
  const integration = state.integrations.find(({ name }) => name === service)
  return (
    <Part title={s.bots.connect}>
      <div class="webhook-fields">
        <label class="labelled">
          <span>{s.bots.service}</span>
          <select
            class="field"
            value={integration?.name ?? ''}
            onChange={(event) => onService(event.currentTarget.value)}
          >
            {!integration && <option value="" />}
            {inOrder(state.integrations).map((one) => (
              <option key={one.name} value={one.name} dir="auto">
                {nameOf(one)}
              </option>
            ))}
          </select>
        </label>
      </div>
      {integration && (
        <Connection
          key={integration.name}
          {...props}
          integration={integration}
          place={place}
          onPlace={setPlace}
        />
      )}
    </Part>
  )
}

/** Where the posts go, whatever the service. */
type Place = Pick<WebhookTarget, 'channelId' | 'topic'>

interface ConnectionProps extends ConnectServiceProps {
  readonly integration: Integration
  readonly place: Place
  readonly onPlace: (place: Place) => void
}

function Connection({ integration, place, onPlace, ...props }: ConnectionProps) {
  const { botKey, onShowKey } = props
  const { channelId, topic } = place
  const service = integration.name
  watch('channel', 'me', 'group', 'organization')
  const [filter, setFilter] = useState<WebhookTarget['filter']>('all')
  const [events, setEvents] = useState<readonly string[]>([])
  const [options, setOptions] = useState<Readonly<Record<string, string>>>({})
  const [looksLikeOther, setLooksLikeOther] = useState(false)
  const isOther = looksLikeOther && canLookLikeOther(service)
  const channels = [...state.channels.values()]
    .filter((channel) => mayPost(state, channel))
    .sort((a, b) => a.name.localeCompare(b.name))
  const target: WebhookTarget = {
    integration: service,
    key: botKey,
    channelId,
    topic,
    filter,
    events,
    options,
    looksLikeOther: isOther,
  }
  const address = webhookAddress(state.organization.url, target)
  const where = FORMS_OF_POSTS.has(service) ? '' : integration.display_name
  return (
    <>
      <div class="webhook-fields">
        {integration.all_event_types && (
          <label class="labelled">
            <span>{s.bots.serviceEvents}</span>
            <select
              class="field"
              value={filter}
              onChange={(event) => setFilter(event.currentTarget.value as WebhookTarget['filter'])}
            >
              {FILTERS.map((one) => (
                <option key={one} value={one}>
                  {s.bots.eventFilters[one]}
                </option>
              ))}
            </select>
          </label>
        )}
        {integration.all_event_types && filter !== 'all' && (
          <EventChoices all={integration.all_event_types} chosen={events} onChoose={setEvents} />
        )}
        <label class="labelled">
          <span>{s.bots.postsTo}</span>
          <select
            class="field"
            value={channelId ?? ''}
            onChange={(event) =>
              onPlace({ ...place, channelId: Number(event.currentTarget.value) || undefined })
            }
          >
            <option value="">{isOther ? s.bots.toDefault : s.bots.toMe}</option>
            {channels.map(({ stream_id, name }) => (
              <option key={stream_id} value={stream_id} dir="auto">
                #{name}
              </option>
            ))}
          </select>
        </label>
        <label class="labelled">
          <span>{s.bots.topic}</span>
          <input
            class="field"
            value={topic}
            disabled={channelId === undefined}
            maxLength={state.server.max_topic_length}
            placeholder={s.bots.ownTopic}
            autocomplete="off"
            onInput={(event) => onPlace({ ...place, topic: event.currentTarget.value })}
          />
        </label>
        {integration.url_options.map((option) => (
          <OptionField
            key={option.key}
            option={option}
            value={options[option.key] ?? ''}
            onChange={(value) => setOptions({ ...options, [option.key]: value })}
          />
        ))}
        {canLookLikeOther(service) && (
          <label class="labelled">
            <span>{s.bots.looksLikeOther}</span>
            <select
              class="field"
              value={looksLikeOther ? 'other' : 'own'}
              onChange={(event) => setLooksLikeOther(event.currentTarget.value === 'other')}
            >
              <option value="own">{s.bots.addressForms.own}</option>
              <option value="other">{s.bots.addressForms.other(integration.display_name)}</option>
            </select>
          </label>
        )}
      </div>
      {botKey === '' ? (
        <ActButton onAct={() => refusalOf(onShowKey())}>{s.bots.showAddress}</ActButton>
      ) : (
        <Address value={address} hint={s.bots.addressHint(where)} />
      )}
      <Steps service={service} name={where} />
      <SendTest {...props} target={target} />
    </>
  )
}

interface SendTestProps extends ConnectServiceProps {
  readonly target: WebhookTarget
}

/** Makes the server post as the service does, with the same result as a real post. */
function SendTest({ botId, target, sample, onPosted }: SendTestProps) {
  const { integration: service } = target
  const [result, setResult] = useState<PostResult>()
  const act = () => {
    setResult(undefined)
    const payload = service === TEMPLATE ? sample : undefined
    const post = sendTestPost(botId, service, testParameters(target), payload)
    // A refused post is one of the last posts too.
    return refusalOf(post.then(setResult).finally(onPosted))
  }
  return (
    <div class="webhook-save">
      <ActButton onAct={act}>{s.bots.sendTest}</ActButton>
      <span class="small soft" role="status">
        {result && s.bots.testOutcomes[result.outcome]} {result?.error && <bdi>{result.error}</bdi>}
      </span>
    </div>
  )
}

/** The steps at the service, in the words of its own pages. */
function Steps({ service, name }: { readonly service: string; readonly name: string }) {
  const guide = guideOf(service)
  if (!guide) return null
  return (
    <>
      <p class="small soft">{s.bots.stepsTitle(name)}</p>
      <ol class="webhook-steps small">
        {guide.steps.map((step) => (
          <li key={step}>{withCode(step)}</li>
        ))}
      </ol>
    </>
  )
}

/** Returns a text in which words between backticks are code. */
export function withCode(text: string) {
  return text.split('`').map((part, at) =>
    at % 2 === 1 ? (
      <code key={part} dir="ltr">
        {part}
      </code>
    ) : (
      part
    ),
  )
}

/** The template comes last: it is for services that are not listed. */
export function inOrder(integrations: readonly Integration[]): Integration[] {
  const isLast = ({ name }: Integration) => Number(name === TEMPLATE)
  return [...integrations].sort(
    (a, b) => isLast(a) - isLast(b) || a.display_name.localeCompare(b.display_name),
  )
}

export function nameOf({ name, display_name }: Integration): string {
  return name === TEMPLATE ? s.bots.otherService : display_name
}

interface EventChoicesProps {
  readonly all: readonly string[]
  readonly chosen: readonly string[]
  readonly onChoose: (events: readonly string[]) => void
}

function EventChoices({ all, chosen, onChoose }: EventChoicesProps) {
  const change = (event: string, isChosen: boolean) =>
    onChoose(all.filter((one) => (one === event ? isChosen : chosen.includes(one))))
  return (
    <fieldset class="webhook-events">
      <legend class="hidden-text">{s.bots.serviceEvents}</legend>
      {all.map((event) => (
        <label key={event} class="check">
          <input
            type="checkbox"
            checked={chosen.includes(event)}
            onChange={({ currentTarget }) => change(event, currentTarget.checked)}
          />
          <span>{event}</span>
        </label>
      ))}
    </fieldset>
  )
}

interface OptionFieldProps {
  readonly option: Integration['url_options'][number]
  readonly value: string
  readonly onChange: (value: string) => void
}

/** An option of the integration: its value is a parameter of the address. */
function OptionField({ option: { key, label, input_type }, value, onChange }: OptionFieldProps) {
  const id = useId()
  return (
    <label class="labelled webhook-wide" htmlFor={id}>
      <span>{s.bots.options[key] ?? label}</span>
      {input_type === 'boolean' ? (
        <select id={id} class="field" value={value} onChange={(event) => onChange(event.currentTarget.value)}>
          {SWITCHES.map((one) => (
            <option key={one} value={one}>
              {s.bots.switches[one]}
            </option>
          ))}
        </select>
      ) : (
        <input
          id={id}
          class="field"
          value={value}
          autocomplete="off"
          onInput={(event) => onChange(event.currentTarget.value)}
        />
      )}
    </label>
  )
}

/** One line, however long the address is: nothing moves while choices are made. */
function Address({ value, hint }: { readonly value: string; readonly hint: string }) {
  const id = useId()
  return (
    <>
      <div class="labelled">
        <label class="small soft" htmlFor={id}>
          {s.bots.address}
        </label>
        <div class="webhook-address">
          <input
            id={id}
            class="field"
            value={value}
            readOnly
            aria-describedby={`${id}-hint`}
            onFocus={(event) => event.currentTarget.select()}
          />
          <CopyButton value={value} />
        </div>
      </div>
      <p id={`${id}-hint`} class="setting-hint">
        {hint}
      </p>
    </>
  )
}
