type Section = { id: string; label: string }

/** The way to each section of a long page, which a phone shows one below the other. */
export function Sections({ sections }: { sections: readonly Section[] }) {
  return (
    <nav aria-label="En esta página" className="xl:hidden">
      <ul className="flex flex-wrap gap-2">
        {sections.map(({ id, label }) => (
          <li key={id}>
            <a
              href={`#${id}`}
              className="flex min-h-11 items-center rounded-full border border-line bg-card px-4 text-[0.9375rem] hover:bg-hover"
            >
              {label}
            </a>
          </li>
        ))}
      </ul>
    </nav>
  )
}
