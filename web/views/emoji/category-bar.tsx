import {
  Apple,
  Building2,
  Clock,
  Flag,
  Hand,
  Heart,
  type IconNode,
  Leaf,
  Lightbulb,
  Plane,
  Smile,
  Trophy,
} from 'lucide'
import { useState } from 'preact/hooks'
import { c } from '../../texts/compose.ts'
import { IconButton } from '../../ui/button.tsx'
import type { Category } from './picker-rows.ts'

const ICONS: Readonly<Record<Category, IconNode>> = {
  usual: Clock,
  custom: Building2,
  smileys: Smile,
  people: Hand,
  nature: Leaf,
  food: Apple,
  travel: Plane,
  activities: Trophy,
  objects: Lightbulb,
  symbols: Heart,
  flags: Flag,
}

interface CategoryBarProps {
  readonly categories: readonly Category[]
  /** The category in view. */
  readonly shown: Category | undefined
  readonly onGo: (category: Category) => void
}

/** Buttons that lead to a category: one stop of Tab, with arrows between them. */
export function CategoryBar({ categories, shown, onGo }: CategoryBarProps) {
  const [current, setCurrent] = useState(0)
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'ArrowLeft' && event.key !== 'ArrowRight') return
    event.preventDefault()
    const isBackwards = (event.key === 'ArrowLeft') !== (document.documentElement.dir === 'rtl')
    const next = (current + (isBackwards ? categories.length - 1 : 1)) % categories.length
    setCurrent(next)
    const bar = event.currentTarget as HTMLElement
    bar.querySelectorAll<HTMLElement>('button')[next]?.focus()
  }
  return (
    <div class="emoji-categories" role="toolbar" aria-label={c.emoji.category} onKeyDown={onKeyDown}>
      {categories.map((category, index) => (
        <IconButton
          key={category}
          icon={ICONS[category]}
          label={c.emoji.categories[category]}
          aria-current={category === shown ? 'true' : undefined}
          tabIndex={index === current ? 0 : -1}
          onClick={() => {
            setCurrent(index)
            onGo(category)
          }}
        />
      ))}
    </div>
  )
}
