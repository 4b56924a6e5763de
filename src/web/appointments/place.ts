/** The address that opens a place on a map, by its words: nobody keeps coordinates. */
export const mapLink = (line: string) =>
  `https://www.google.com/maps/search/?api=1&query=${encodeURIComponent(line)}`
