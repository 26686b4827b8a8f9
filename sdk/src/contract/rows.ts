/** The words of each line of a table: as text, tables take the fewest bytes in a bundle. */
export const rowsOf = (table: string): string[][] => table.split('\n').map((line) => line.split(' '))
