import { TicketPercent } from 'lucide-react'
import type { Redeemed } from '../../domain/agencies/clients.ts'
import { benefitWords } from '../../domain/agencies/codes.ts'

/** The code that is a customer's, and what it gives. */
export const OwnCode = ({ own: { benefit, code } }: { own: Redeemed }) => (
  <p className="flex items-center gap-2 justify-self-start rounded-control bg-brand-soft px-3.5 py-2.5 text-[0.9375rem] text-brand">
    <TicketPercent aria-hidden className="size-5 shrink-0" />
    <span>
      Tu código <strong>{code}</strong>
      {benefit.kind !== 'none' && `: ${benefitWords(benefit)}`}
    </span>
  </p>
)
