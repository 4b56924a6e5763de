import { Lock } from 'lucide-react'
import type { DiscountLine } from '../../domain/quotes/content.ts'

/** What the code of its customer takes off an option: it comes by itself, and nobody who writes changes it. */
export const BuildBenefit = ({ line: { description } }: { line: DiscountLine }) => (
  <p className="flex gap-2 rounded-control bg-hover px-3 py-2.5 text-[0.9375rem]">
    <Lock aria-hidden className="mt-0.5 size-4.5 shrink-0 text-mute" />
    <span className="min-w-0 flex-1 wrap-anywhere">
      {description}
      <span className="block text-sm text-mute">Lo pone el código de su cliente y no se edita.</span>
    </span>
  </p>
)
