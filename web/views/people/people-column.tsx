import './people.css'
import { address } from '../../navigation.ts'
import { t } from '../../texts/texts.ts'
import { Icon } from '../../ui/icon.tsx'
import { onDemand } from '../../ui/on-demand.tsx'

const People = onDemand(() => import('./people-list.tsx').then(({ People: list }) => list))

/** Views without the column: those about other things, and the one that shows the people itself. */
const WITHOUT_PEOPLE: ReadonlySet<string> = new Set([
  'people',
  'settings',
  'organization',
  'groups',
  'channels',
])

/** Whether the open view may have the people beside it. */
export function hasPeopleColumn(): boolean {
  return !WITHOUT_PEOPLE.has(address.value.view)
}

/** The people in a column beside the open view. */
export function PeopleColumn() {
  return (
    <aside class="people" aria-label={t.people.label}>
      <People />
    </aside>
  )
}

/** The people as a view of its own, at `#people`. */
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
