func.func @f(%x: f32) -> f32 {
  return %x : f32
}
func.func @f.v3(%x: f32) -> f32 {
  return %x : f32
}
