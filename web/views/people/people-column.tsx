import './people.css'
import { address } from '../../navigation.ts'
import { t } from '../../texts/texts.ts'
import { Icon } from '../../ui/icon.tsx'
import { onDemand } from '../../ui/on-demand.tsx'

const People = onDemand(() => import('./people-list.tsx').then(({ People: list }) => list))

/** Views that are about other things, or show the people themselves. */
const WITHOUT_PEOPLE: ReadonlySet<string> = new Set([
  'people',
  'settings',
  'organization',
  'groups',
  'channels',
])

/** Whether the people may stand beside what is open. */
export function hasPeopleColumn(): boolean {
  return !WITHOUT_PEOPLE.has(address.value.view)
}

/** The people beside what is open. */
export function PeopleColumn() {
  return (
    <aside class="people" aria-label={t.people.label}>
      <People />
    </aside>
  )
}

/** The people as a view with an address, `#people`. */
export function PeopleView() {
  return (
    <>
      <header class="view-head">
        <Icon name="people" />
        <h1>{t.people.label}</h1>
      </header>
      <div class="view-scroll">
        <div class="view-inner people-view">
          <People />
        </div>
      </div>
    </>
  )
}
