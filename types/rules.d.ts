/** What the domain may use beyond ECMAScript: pure parts of the URL and Encoding standards, the same in every runtime. */

interface URLSearchParams extends Iterable<[string, string]> {
  readonly size: number
  append(name: string, value: string): void
  delete(name: string): void
  get(name: string): string | null
  getAll(name: string): string[]
  has(name: string): boolean
  set(name: string, value: string): void
  toString(): string
}
declare const URLSearchParams: {
  new (init?: Iterable<readonly [string, string]> | Record<string, string> | string): URLSearchParams
}

interface URL {
  hash: string
  host: string
  hostname: string
  readonly href: string
  readonly origin: string
  password: string
  pathname: string
  port: string
  protocol: string
  search: string
  readonly searchParams: URLSearchParams
  username: string
}
declare const URL: {
  new (url: string | URL, base?: string | URL): URL
  canParse(url: string, base?: string): boolean
  parse(url: string, base?: string): URL | null
}

declare const TextDecoder: {
  new (label?: string, options?: { fatal?: boolean }): { decode(input: Uint8Array | ArrayBuffer): string }
}
