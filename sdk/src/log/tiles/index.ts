export { appendLeaves, edgeOf, emptyEdge, headOf, type TileData, type TreeEdge } from './append.ts'
export { consistencyProof, inclusionProof, type ReadTile, rootFromTiles } from './prove.ts'
export {
  edgeTiles,
  formatBundle,
  hashLength,
  levelWidth,
  parseBundle,
  parseTilePath,
  type Tile,
  tileAt,
  tilePath,
  tileWidth,
} from './tiles.ts'
