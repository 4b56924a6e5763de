import { formatPhone, telLink } from '../shared/format.ts'
import { SecondLine } from './data-table.tsx'

type PhoneLineProps = { phone?: string | null; home?: string | null | undefined }

/** Below a name in a list, since names repeat: how to call, and which of several homes it is about. */
export const PhoneLine = ({ home, phone }: PhoneLineProps) => (
  <SecondLine>
    {phone && (
      <a href={telLink(phone)} className="inline-flex min-h-6 items-center whitespace-nowrap">
        {formatPhone(phone)}
      </a>
    )}
    {phone && home && ' · '}
    {home}
  </SecondLine>
)
