import { Search } from 'lucide-react'
import { Button } from './button.tsx'
import { Field } from './field.tsx'

type SearchBoxProps = { placeholder: string; value: string | undefined; maxLength?: number }

/** What a list is searched by, as every list asks for it: the box, and beside it what sends it. */
export const SearchBox = ({ placeholder, value, maxLength = 100 }: SearchBoxProps) => (
  <div className="flex items-end gap-3">
    <Field
      label="Buscar"
      name="text"
      type="search"
      optional="unsaid"
      enterKeyHint="search"
      placeholder={placeholder}
      maxLength={maxLength}
      defaultValue={value}
      className="min-w-0 flex-1"
    />
    <Button type="submit" variant="ghost">
      <Search aria-hidden className="size-5" />
      <span className="max-sm:sr-only">Buscar</span>
    </Button>
  </div>
)
