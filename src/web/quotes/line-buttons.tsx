import { ArrowDown, ArrowUp, Copy, type LucideIcon, Trash2 } from 'lucide-react'
import { editValue, type Place } from '../../domain/quotes/draft.ts'
import { Press } from './press.tsx'
import type { Build } from './use-build.ts'

const acts = [
  { name: 'up', label: 'Subir', icon: ArrowUp },
  { name: 'down', label: 'Bajar', icon: ArrowDown },
  { name: 'duplicate', label: 'Duplicar', icon: Copy },
  { name: 'remove', label: 'Quitar', icon: Trash2 },
] as const satisfies readonly { name: string; label: string; icon: LucideIcon }[]

type LineButtonsProps = { build: Build; place: Place; count: number; what: string }

/** What can be done with a line as a whole. */
export function LineButtons({ build, place, count, what }: LineButtonsProps) {
  const cant = { up: place.at === 0, down: place.at === count - 1, duplicate: false, remove: false }
  return (
    <div className="flex gap-2">
      {acts.map(({ icon: Icon, label, name }) => {
        const edit = { name, ...place }
        return (
          <Press
            key={name}
            value={editValue(edit)}
            data-part={name}
            aria-label={`${label} ${what}`}
            title={label}
            disabled={cant[name]}
            className="flex-1 px-0"
            onPress={() => build.change(edit)}
          >
            <Icon aria-hidden className="size-5" />
          </Press>
        )
      })}
    </div>
  )
}
