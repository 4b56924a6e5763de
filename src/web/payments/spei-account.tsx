import { clabeInParts } from '../../domain/payments/banks.ts'
import type { Settings } from '../../domain/settings/settings-schema.ts'
import { money } from '../../domain/shared/format.ts'
import { CopyButton } from '../ui/copy-button.tsx'
import { DefinitionList } from '../ui/definition-list.tsx'

type SpeiAccountProps = { spei: Settings['spei']; folio: string; amount: number }

/** Where to transfer to, and what to write. */
export const SpeiAccount = ({ amount, folio, spei: { bank, beneficiary, clabe } }: SpeiAccountProps) => (
  <>
    <DefinitionList
      items={[
        { term: 'A nombre de', value: beneficiary },
        { term: 'Banco', value: bank },
        { term: 'CLABE', value: <span className="font-medium tabular-nums">{clabeInParts(clabe)}</span> },
        { term: 'Cantidad', value: money(amount) },
        { term: 'Concepto', value: folio },
      ]}
    />
    <div className="flex flex-wrap gap-3 max-sm:*:flex-1">
      <CopyButton text={clabe} label="Copiar CLABE" />
      <CopyButton text={folio} label="Copiar concepto" />
    </div>
  </>
)
