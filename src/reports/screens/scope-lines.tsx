import { thousands } from '../../shared/format.ts'
import type { Scope } from '../rules/report.ts'

/** What is to be done, line by line, without its prices. */
export const ScopeLines = ({ lines }: Pick<Scope, 'lines'>) => (
  <ul className="grid gap-2 text-[0.9375rem]">
    {lines.map(({ description, quantity, unit }, n) => (
      // biome-ignore lint/suspicious/noArrayIndexKey: two lines may say the same, and none is ever moved here
      <li key={n} className="flex justify-between gap-x-6">
        <span className="min-w-0 wrap-anywhere">{description}</span>
        <span className="shrink-0 text-mute">
          {thousands(quantity)}&nbsp;{unit}
        </span>
      </li>
    ))}
  </ul>
)
