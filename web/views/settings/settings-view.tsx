import './settings.css'
import { state, watch } from '../../chat.ts'
import { address } from '../../navigation.ts'
import { s } from '../../texts/settings.ts'
import { t } from '../../texts/texts.ts'
import { Empty } from '../../ui/empty.tsx'
import { Icon } from '../../ui/icon.tsx'
import { isNarrow } from '../preferences.ts'
import { GROUPS, offeredSections, type Section, sectionAt } from './sections.ts'

export { loadSettingsTexts } from '../../texts/settings.ts'

/**
 * The view of all settings, of the user, of people and groups, of the organization: a list of sections, and
 * one of them.
 */
export function SettingsView() {
  watch('me', 'organization', 'group')
  const shown = address.value
  const at = [shown.view, ...('path' in shown ? shown.path : [])].join('/')
  const offered = offeredSections(state)
  const isIndex = at === 'settings' || at === 'organization'
  const first = offered.find(({ group }) => group === (at === 'organization' ? 'organization' : 'own'))
  const section = isIndex ? (first ?? offered[0]) : sectionAt(offered, at)
  if (isIndex && isNarrow.value) {
    return (
      <>
        <Head title={t.views.settings} />
        <div class="view-scroll">
          <SectionList sections={offered} chosen={undefined} />
        </div>
      </>
    )
  }
  return (
    <>
      <Head title={section?.title() ?? t.views.settings} hasWayBack={isNarrow.value} />
      <div class="settings-columns">
        {!isNarrow.value && <SectionList sections={offered} chosen={section} />}
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a list without anything to press is scrolled by keys too */}
        <div class="view-scroll settings-scroll" key={section?.at} tabIndex={0}>
          {section ? (
            <div class="settings">
              <section.View
                path={at
                  .slice(section.at.length + 1)
                  .split('/')
                  .filter(Boolean)}
              />
            </div>
          ) : (
            <Empty title={t.notThere.title}>
              <p>{s.notOffered}</p>
            </Empty>
          )}
        </div>
      </div>
    </>
  )
}

function Head({ title, hasWayBack = false }: { readonly title: string; readonly hasWayBack?: boolean }) {
  return (
    <header class="view-head">
      {hasWayBack ? (
        <a class="icon-button settings-back" href="#settings" aria-label={s.allSettings}>
          <Icon name="back" />
        </a>
      ) : (
        <Icon name="gear" />
      )}
      <h1>{title}</h1>
    </header>
  )
}

function SectionList({
  sections,
  chosen,
}: {
  readonly sections: readonly Section[]
  readonly chosen: Section | undefined
}) {
  return (
    <nav class="settings-nav" aria-label={t.views.settings}>
      {GROUPS.map((group) => {
        const own = sections.filter((section) => section.group === group)
        if (own.length === 0) return null
        return (
          <div key={group}>
            <h2>{s.groupsOfSections[group]}</h2>
            <ul>
              {own.map((section) => (
                <li key={section.at}>
                  <a href={`#${section.at}`} aria-current={section === chosen ? 'page' : undefined}>
                    {section.title()}
                  </a>
                </li>
              ))}
            </ul>
          </div>
        )
      })}
    </nav>
  )
}
